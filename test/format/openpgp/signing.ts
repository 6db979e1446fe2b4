// Throwaway ed25519 keys and signatures for the tests of this folder, over node:crypto.
import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { fingerprintOf } from '../../../src/format/openpgp/key-packet.ts';
import { certification, userIdOf } from '../../../src/format/openpgp/public-key.ts';
import { prepareSignature } from '../../../src/format/openpgp/signature.ts';

export const AT_SECONDS = 1_760_000_000;

export const crypto = nodeCrypto;

export type TestKey = {
  readonly fingerprint: string;
  readonly ed25519: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly raw: (message: Uint8Array) => Uint8Array;
  readonly sign: (data: Uint8Array, atSeconds?: number) => Uint8Array;
};

export function testKey(principal = 'ana', createdAtSeconds = AT_SECONDS): TestKey {
  const pair = generateKeyPairSync('ed25519');
  const raw = (message: Uint8Array) => new Uint8Array(sign(null, message, pair.privateKey));
  const ed25519 = rawPoint(pair.publicKey);
  const fingerprint = fingerprintOf(crypto, ed25519, createdAtSeconds);
  const certified = certification({ ed25519, createdAtSeconds, userId: userIdOf(principal, fingerprint) }, crypto);
  return {
    fingerprint,
    ed25519,
    publicKey: certified.finish(raw(certified.toSign)),
    raw,
    sign(data, atSeconds = AT_SECONDS) {
      const prepared = prepareSignature({ fingerprint, atSeconds }, data, crypto);
      return prepared.finish(raw(prepared.toSign));
    },
  };
}

function rawPoint(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
}
