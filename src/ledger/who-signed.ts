// Whose word a statement beside a ledger is: the member behind its signature, if that key counts in the project now. Knows
// neither what is said nor where it lies.
import type { Crypto } from '../format/crypto.ts';
import { fromBase64 } from '../format/bytes.ts';
import { parseSignature, verifySignature } from '../format/openpgp/signature.ts';
import { Failure } from '../failure.ts';
import { findSigner } from './find-signer.ts';
import type { BareTip } from './tip.ts';

type Signed = { readonly fingerprint: string; readonly signature: string; readonly bytes: Uint8Array };

/** The principal; undefined for a key that is cut off, not valid now, or nobody's, and for a signature of something else. */
export function whoSigned(
  crypto: Crypto,
  project: BareTip,
  { fingerprint, signature, bytes }: Signed,
): string | undefined {
  if (project.state === undefined) return undefined;
  const signer = findSigner(crypto, project, project.state.roster, fingerprint, undefined);
  const packet = fromBase64(signature);
  if (signer.is === 'refused' || packet === undefined) return undefined;
  try {
    const { ed25519 } = signer.value.publicKey;
    const flaw = verifySignature(crypto, parseSignature(packet), ed25519, fingerprint, bytes);
    return flaw === undefined ? signer.value.member.principal_id : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
