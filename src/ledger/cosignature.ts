// A co-signature: a member of the roster says "I verified this tree head". Knows the bytes and who may sign them, not
// where co-signatures are kept.
import { utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { statement } from '../format/openpgp/detached.ts';
import { flawOf } from '../format/openpgp/signature.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { findSigner } from './find-signer.ts';
import type { Cosignature } from './bundle-format.ts';
import { treeHeadBody } from './derived.ts';
import type { BareTip } from './tip.ts';

/** The bytes a co-signature is over. */
export function cosignedBytes(ledgerId: string, size: number, root: string): Uint8Array {
  return statement('cosign', utf8(treeHeadBody(ledgerId, size, root)));
}

/** Accepted with the principal who signed, if that key counts where the ledger stands now. */
export function checkCosignature(crypto: Crypto, at: BareTip, cosignature: Cosignature): Verdict<string> {
  const { fingerprint, size, root, signature } = cosignature;
  if (at.state === undefined) return refuse('ledger_not_opened');
  const signer = findSigner(crypto, at, at.state.roster, fingerprint, at.project);
  if (signer.is === 'refused') return refuse('cosignature_invalid', { fingerprint, because: signer.code });
  const { member, publicKey } = signer.value;
  const bytes = cosignedBytes(at.state.ledger_id, size, root);
  const flaw = flawOf(crypto, signature, publicKey.ed25519, fingerprint, bytes);
  return flaw === undefined
    ? accept(member.principal_id)
    : refuse('cosignature_invalid', { fingerprint, because: flaw });
}
