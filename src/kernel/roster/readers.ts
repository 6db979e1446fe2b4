// Whose encryption key is whose: each bound by a signing key of its own member, so that whoever signs rosters cannot have
// others encrypt to the wrong person. Encrypts nothing.
import { concat, fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { binderNamedIn, parseEncryptionKey } from '../../format/openpgp/encryption-key.ts';
import { Failure } from '../../failure.ts';
import { PUBLIC_KEY_BYTES_MAX } from '../limits.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { Keyring } from './keyring.ts';
import type { Roster } from './roster.ts';

export function checkReaders(
  crypto: Crypto,
  roster: Roster,
  keys: Keyring,
  barred: (fingerprint: string) => boolean,
): Verdict<undefined> {
  const seen = new Set<string>();
  for (const { principal_id, keys: own, encrypt_to } of roster.members) {
    if (encrypt_to === undefined) continue;
    const facts = { principal: principal_id, fingerprint: encrypt_to.fingerprint };
    const bytes = fromBase64(encrypt_to.public_key);
    if (bytes === undefined || bytes.length > PUBLIC_KEY_BYTES_MAX) return refuse('key_malformed', facts);
    // What a stolen key bound, its thief reads.
    const binders = own
      .filter(({ fingerprint }) => !barred(fingerprint))
      .map(({ fingerprint }) => keys.get(fingerprint)!);
    try {
      const key = parseEncryptionKey(
        bytes,
        binders.map(({ publicKey }) => publicKey),
        crypto,
      );
      if (key.fingerprint !== encrypt_to.fingerprint) return refuse('roster_key_mislabelled', facts);
    } catch (cause) {
      if (cause instanceof Failure) return refuse(cause.code, { ...cause.facts, ...facts });
      throw cause;
    }
    if (seen.has(encrypt_to.fingerprint)) return refuse('roster_key_twice', facts);
    seen.add(encrypt_to.fingerprint);
  }
  return accept(undefined);
}

/** The public key to encrypt to a member with, as other programs read it; undefined where the member has none. */
export function certificateOf({ keys, encrypt_to }: Roster['members'][number]): Uint8Array | undefined {
  const subkey = encrypt_to === undefined ? undefined : fromBase64(encrypt_to.public_key);
  if (subkey === undefined) return undefined;
  const by = binderNamedIn(subkey);
  const signing = keys.find(({ fingerprint }) => fingerprint === by);
  const primary = signing === undefined ? undefined : fromBase64(signing.public_key);
  return primary === undefined ? undefined : concat([primary, subkey]);
}
