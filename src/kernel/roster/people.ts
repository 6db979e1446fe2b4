// Who reads what only the roster's people should read, and by which key. Encrypts nothing.
import { fromBase64 } from '../../format/bytes.ts';
import { binderNamedIn } from '../../format/openpgp/encryption-key.ts';
import type { State } from '../state.ts';
import { isBarred } from './barred.ts';
import { certificateOf } from './readers.ts';
import { isPerson } from './roster.ts';

export type Reader = {
  readonly principal: string;
  /** Of the key to encrypt to. */
  readonly fingerprint: string;
  /** A whole OpenPGP public key: signing key, user id, encryption key. */
  readonly certificate: Uint8Array;
};

/** Those who decide in this project, as far as they have a key to encrypt to. */
export function peopleWhoRead({ roster, cut_offs }: Pick<State, 'roster' | 'cut_offs'>): readonly Reader[] {
  const barred = isBarred({ cut_offs });
  return roster.members.filter(isPerson).flatMap((member) => {
    const { principal_id: principal, keys, encrypt_to } = member;
    const certificate = certificateOf(member);
    if (encrypt_to === undefined || certificate === undefined) return [];
    // What a stolen key bound, its thief reads: until the next roster says otherwise, nobody reads by it.
    if (barred(binderNamedIn(fromBase64(encrypt_to.public_key)!))) return [];
    // Whose keys have all ended is on the roster for what they signed.
    if (!keys.some(({ fingerprint, until }) => until === null && !barred(fingerprint))) return [];
    return [{ principal, fingerprint: encrypt_to.fingerprint, certificate }];
  });
}
