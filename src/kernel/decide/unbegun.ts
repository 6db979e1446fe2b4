// An attempt that comes to nothing before anything of it ran: said in the ledger by whoever found it out, with its receipt.
// It is over and counted; what may follow depends on why.
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names } from './about.ts';
import { runReceipt } from './run-receipt.ts';
import { readyToRun } from './work.ts';

export type Unbegun = {
  readonly because: string;
  /** The one that was found so: whoever slept meanwhile must not end its successor. */
  readonly attempt: string;
  /** A runner took the task up; a writer that finds nothing of a runner cannot say so. */
  readonly isByRunner: boolean;
};

export function decideUnbegun(
  state: MissionState | undefined,
  { because, attempt, isByRunner }: Unbegun,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, task } = at.value;
  if (at.value.attempt !== attempt) return refuse('attempt_stale', { attempt, current: at.value.attempt });
  const ready = readyToRun(course);
  if (ready.is === 'refused') return ready;
  return accept([
    ...(isByRunner && state!.tasks[task] === 'ready' ? [within('task.started', task, task, {})] : []),
    runReceipt(at.value, names('receipt unbegun'), {
      capability_grant_ref: ready.value,
      result_code: 'refused',
      result_summary: because,
    }),
    inAttempt('attempt.failed', attempt, at.value, { because }),
  ]);
}
