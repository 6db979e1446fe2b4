// From a way to make raw ed25519 signatures to a Signer: the same for keys in files and keys in an agent.
// Knows no storage and no passphrase.
import type { Crypto } from '../../format/crypto.ts';
import { certification, userIdOf } from '../../format/openpgp/public-key.ts';
import { fingerprintOf } from '../../format/openpgp/key-packet.ts';
import { prepareSignature } from '../../format/openpgp/signature.ts';
import type { Signer } from '../../ports/keys.ts';

/** Makes the 64 bytes R ‖ S over a digest. */
export type RawSign = (digest: Uint8Array) => Promise<Uint8Array>;

export function signerOf(
  crypto: Crypto,
  key: { readonly fingerprint: string; readonly bytes: Uint8Array },
  rawSign: RawSign,
): Signer {
  const { fingerprint } = key;

  async function sign(bytes: Uint8Array, atSeconds: number): Promise<Uint8Array> {
    const prepared = prepareSignature({ fingerprint, atSeconds }, bytes, crypto);
    return prepared.finish(await rawSign(prepared.toSign));
  }
  return { fingerprint, publicKey: key.bytes, sign };
}

/** The key's public half under the principal's id. Ed25519 is deterministic: made twice, it is the same bytes. */
export async function certify(
  crypto: Crypto,
  key: { readonly ed25519: Uint8Array; readonly createdAtSeconds: number },
  principalId: string,
  rawSign: RawSign,
): Promise<Uint8Array> {
  const fingerprint = fingerprintOf(crypto, key.ed25519, key.createdAtSeconds);
  const prepared = certification({ ...key, userId: userIdOf(principalId, fingerprint) }, crypto);
  return prepared.finish(await rawSign(prepared.toSign));
}
