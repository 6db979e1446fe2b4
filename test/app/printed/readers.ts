// People of a roster with keys to encrypt to, each with a folder of keys that opens what is theirs.
import { onTestFinished } from 'vitest';
import { base64 } from '../../../src/format/bytes.ts';
import type { Member } from '../../../src/kernel/roster/roster.ts';
import type { Protection } from '../../../src/ports/keys.ts';
import { member, rosterKey, type TestKey } from '../../support/people.ts';
import { AT_SECONDS, keyHome, neverAsked, UNPROTECTED, type KeyHome } from '../../adapters/keys/homes.ts';

export type ReaderHome = KeyHome & { readonly member: Member; readonly fingerprint: string };

/** Signs with the test key, and reads with a key of lazarus. */
export async function reader(
  key: TestKey,
  changes: Partial<Member> = {},
  protection: Protection = UNPROTECTED,
): Promise<ReaderHome> {
  const home = keyHome();
  onTestFinished(home.remove);
  const { fingerprint, publicKey } = await home.keys.generate(key.principalId, AT_SECONDS, protection);
  const ask = 'passphrase' in protection ? async () => protection.passphrase : neverAsked;
  const encryption = await home.keys.encryptTo(fingerprint, AT_SECONDS, ask);
  return {
    ...home,
    fingerprint: encryption.fingerprint,
    member: member(key, {
      keys: [rosterKey(key), { fingerprint, from: 0, public_key: base64(publicKey), until: null }],
      encrypt_to: { fingerprint: encryption.fingerprint, public_key: base64(encryption.bytes) },
      ...changes,
    }),
  };
}
