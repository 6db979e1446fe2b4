// A signing key handed in as text, such as a job's secret: opened in memory, never written anywhere.
import { sign } from 'node:crypto';
import type { Crypto } from '../../format/crypto.ts';
import { dearmor } from '../../format/openpgp/armor.ts';
import { fingerprintOf } from '../../format/openpgp/key-packet.ts';
import type { Signer } from '../../ports/keys.ts';
import { openSecret } from './secret-key.ts';
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
