// The check as the portable script makes it: own cryptography, and an answer to everything, a bug of ours included.
import { checkBundle } from '../ledger/bundle.ts';
import { refuse } from '../kernel/verdict.ts';
import { printable } from '../surfaces/cli/escape.ts';
import { viewProof, type ProofView } from '../surfaces/proof-view.ts';
import { nobleCrypto } from './noble-crypto.ts';

export const GENESIS = /^sha256:[0-9a-f]{64}$/;

export function checkAlone(bytes: Uint8Array, genesis: string | undefined): ProofView {
  let view: ProofView;
  try {
    view = viewProof(checkBundle(nobleCrypto, bytes, { genesis }));
  } catch (error) {
    view = viewProof(refuse('internal', { error: error instanceof Error ? error.message : String(error) }));
  }
  const { headline, rows } = view;
  return {
    ...view,
    headline: printable(headline),
    rows: rows.map(([label, value]) => [printable(label), printable(value)]),
  };
}
