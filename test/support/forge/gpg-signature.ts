// Signs with the stock gpg, once, when the vectors are made: what gpg writes by default is what people's commits carry.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat } from '../../../src/format/bytes.ts';
import { packetHeader, readPacket, writeMpi } from '../../../src/format/openpgp/packet.ts';
import { gpgHome } from '../gpg-home.ts';
import type { TestKey } from '../people.ts';

const TAG_SECRET_KEY = 5;

/** gpg's own choice of hash for this key, SHA-256, at a fixed time. */
export function signWithGpg(key: TestKey, word: string, payload: Uint8Array, atSeconds: number): Uint8Array {
  const home = gpgHome();
  try {
    home.gpg(['--import'], secretKey(key, word));
    const data = join(home.path, 'payload');
    writeFileSync(data, payload);
    const time = ['--faked-system-time', `${atSeconds}!`];
    return home.gpg([...time, '--digest-algo', 'SHA256', '-u', key.fingerprint, '--detach-sign', '-o', '-', data]);
  } finally {
    home.remove();
  }
}

/** The test key as gpg imports it: unprotected, because it protects nothing. */
function secretKey(key: TestKey, word: string): Uint8Array {
  const seed = createHash('sha256').update(`lazarus test key ${word}`).digest();
  const { body, end } = readPacket(key.publicKey, 0, 'key_malformed');
  const secret = writeMpi(seed);
  const sum = secret.reduce((total, byte) => total + byte, 0);
  const packet = concat([body, Uint8Array.of(0), secret, Uint8Array.of((sum >> 8) & 0xff, sum & 0xff)]);
  return concat([packetHeader(TAG_SECRET_KEY, packet.length), packet, key.publicKey.subarray(end)]);
}
