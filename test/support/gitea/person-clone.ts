// A person of the team at their own computer: a home that holds their key, and an ordinary clone of the repository.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPath } from '../../../src/adapters/keys/file-keys.ts';
import { bareSecretKeyPacket, secretFromSeed } from '../../../src/adapters/keys/secret-key.ts';
import { concat } from '../../../src/format/bytes.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { KEYS_MADE_AT_SECONDS, testKey } from '../people.ts';

/** Puts the key of a name, and nothing else, into a home. */
export function giveKey(home: string, name: string): void {
  const { fingerprint, publicKey } = testKey(name);
  const seed = createHash('sha256').update(`lazarus test key ${name}`).digest();
  const secret = bareSecretKeyPacket(secretFromSeed(seed, KEYS_MADE_AT_SECONDS));
  const folder = keyPath({ HOME: home });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const rest = publicKey.subarray(2 + publicKey[1]!);
  const keep = (file: string, text: string): void => writeFileSync(join(folder, file), text, { mode: 0o600 });
  keep(`${fingerprint}.asc`, armor('PRIVATE KEY BLOCK', concat([secret, rest])));
  keep(`${fingerprint}.pub.asc`, armor('PUBLIC KEY BLOCK', publicKey));
}
