// Keys that live as long as this process: made for one seed, held in memory, gone with it. Nothing is ever stored.
import { sign } from 'node:crypto';
import type { Crypto } from '../../format/crypto.ts';
import { fingerprintOf } from '../../format/openpgp/key-packet.ts';
import type { SeedKeys } from '../../ports/seeds.ts';
import { newSecret } from './secret-key.ts';
import { certify, signerOf } from './signer.ts';

export function seedKeys(crypto: Crypto): SeedKeys {
  return {
    async newSeedKey(seedName, atSeconds) {
      const secret = newSecret(atSeconds);
      const rawSign = (digest: Uint8Array): Promise<Uint8Array> =>
        Promise.resolve(new Uint8Array(sign(null, digest, secret.privateKey)));
      const bytes = await certify(crypto, secret, seedName, rawSign);
      return signerOf(crypto, { fingerprint: fingerprintOf(crypto, secret.ed25519, atSeconds), bytes }, rawSign);
    },
  };
}
