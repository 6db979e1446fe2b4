// Whether a key is cut off: from the moment the ledger knows it, it signs nothing more.
import type { State } from '../state.ts';

export function isBarred(state: Pick<State, 'cut_offs'>): (fingerprint: string) => boolean {
  return (fingerprint) => state.cut_offs.some((cutOff) => cutOff.fingerprint === fingerprint);
}
