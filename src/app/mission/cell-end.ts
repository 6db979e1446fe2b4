// What follows from how a cell ended: how it is closed in the ledger, and by which reason an attempt fails whose agent ended so.
// In which words people read of it stands in `cell-end-words.ts`.
import type { Ended } from '../../kernel/decide/work.ts';
import type { CellExit } from '../../ports/cells.ts';
import type { ReasonCode } from '../../reasons.ts';

type End = Pick<CellExit, 'reason' | 'code'>;
type Outcome = Ended['closed']['outcome'];

/** Unless it ended well. */
const FOLLOWS: Readonly<Record<End['reason'], { readonly outcome: Outcome; readonly failure: ReasonCode }>> = {
  exited: { outcome: 'failed', failure: 'cell_failed' },
  signalled: { outcome: 'failed', failure: 'cell_failed' },
  timeout: { outcome: 'expired', failure: 'cell_timeout' },
  output_limit: { outcome: 'failed', failure: 'cell_output_limit' },
  memory_limit: { outcome: 'failed', failure: 'cell_memory_limit' },
  disk_limit: { outcome: 'failed', failure: 'cell_disk_limit' },
  route_limit: { outcome: 'failed', failure: 'route_exhausted' },
  // Only its supervisor can do that to it: told to leave, or the machine goes down.
  killed: { outcome: 'failed', failure: 'interrupted' },
};

/** What shells and launchers answer for a program that is not there, or that cannot be executed. */
const NOT_FOUND: ReadonlySet<number | null> = new Set([126, 127]);

export function outcomeOf(end: End): Outcome {
  return isWell(end) ? 'completed' : FOLLOWS[end.reason].outcome;
}

/** Undefined where it ended well: its work can be taken. */
export function agentFailure(end: End): ReasonCode | undefined {
  if (isWell(end)) return undefined;
  return end.reason === 'exited' && NOT_FOUND.has(end.code) ? 'agent_missing' : FOLLOWS[end.reason].failure;
}

/** Of what was written elsewhere, by another version perhaps. */
export function isEnd(reason: string): reason is End['reason'] {
  return Object.hasOwn(FOLLOWS, reason);
}

function isWell({ reason, code }: End): boolean {
  return reason === 'exited' && code === 0;
}
