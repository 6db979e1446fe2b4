// Signing keys that are in memory and nowhere else: handed in as text, such as a job's secret, or made for one seed.
// Nothing is ever stored.
import { sign } from 'node:crypto';
import type { Crypto } from '../../format/crypto.ts';
import { dearmor } from '../../format/openpgp/armor.ts';
import { fingerprintOf } from '../../format/openpgp/key-packet.ts';
import type { Signer, SeedKeys } from '../../ports/keys.ts';
import { Failure } from '../../failure.ts';
import { newSecret, openSecret, publicPartOf } from './secret-key.ts';
import { certify, signerOf } from './signer.ts';

/** `nameOf`: the name the roster knows the key by; its public half is certified under it. */
export async function signerFromText(
  crypto: Crypto,
  armored: string,
  {
    nameOf,
    passphrase,
  }: { readonly nameOf: (fingerprint: string) => string; readonly passphrase: () => Promise<string> },
): Promise<Signer> {
  const secret = await openSecret(dearmor('PRIVATE KEY BLOCK', armored), passphrase);
  const rawSign = (digest: Uint8Array): Promise<Uint8Array> =>
    Promise.resolve(new Uint8Array(sign(null, digest, secret.privateKey)));
  const fingerprint = fingerprintOf(crypto, secret.ed25519, secret.createdAtSeconds);
  const bytes = await certify(crypto, secret, nameOf(fingerprint), rawSign);
  return signerOf(crypto, { fingerprint, bytes }, rawSign);
}

/** The public half of such a key, without a passphrase; undefined for what is none. */
export function publicHalfOf(
  crypto: Crypto,
  armored: string,
): { readonly fingerprint: string; readonly ed25519: Uint8Array } | undefined {
  try {
    const { ed25519, createdAtSeconds } = publicPartOf(dearmor('PRIVATE KEY BLOCK', armored));
    return { ed25519, fingerprint: fingerprintOf(crypto, ed25519, createdAtSeconds) };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

// Keys that live as long as this process: made for one seed, held in memory, gone with it. Nothing is ever stored.
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
