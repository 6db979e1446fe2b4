// Keeps a state small enough for its snapshot. Refused where the state would grow, by the event that grows it: found
// only at the end of a segment, a state too large would let nothing be appended to the ledger ever again.
import { utf8 } from '../format/bytes.ts';
import { jcs } from '../format/jcs.ts';
import { STATE_BYTES_MAX } from './limits.ts';
import type { State } from './state.ts';
import { accept, refuse, type Verdict } from './verdict.ts';

export function acceptWithinBounds<S extends State>(state: S): Verdict<S> {
  const bytes = utf8(jcs(state)).length;
  return bytes > STATE_BYTES_MAX
    ? refuse('limit_reached', { state_bytes: bytes, state_bytes_max: STATE_BYTES_MAX })
    : accept(state);
}
