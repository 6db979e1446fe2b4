// An attempt that comes to nothing before anything of it ran: said in the ledger by whoever found it out, with its receipt.
// It is over and counted; what may follow depends on why.
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names } from './about.ts';
import { runReceipt } from './receipts.ts';
import { readyToRun } from './work.ts';

export type Unbegun = {
  readonly because: string;
  /** The one that was found so: whoever slept meanwhile must not end its successor. */
  readonly attempt: string;
  /** A runner takes the lease and the task first, for without them it judges nothing but its own machine. */
  readonly runner: { readonly holder: string; readonly leaseUntil: string; readonly workspace: string } | undefined;
};

export function decideUnbegun(
  state: MissionState | undefined,
  { because, attempt, runner }: Unbegun,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, task } = at.value;
  if (at.value.attempt !== attempt) return refuse('attempt_stale', { attempt, current: at.value.attempt });
  const ready = readyToRun(course);
  if (ready.is === 'refused') return ready;
  const fence = course.fence + 1;
  const taken: Drafts =
    runner === undefined
      ? []
      : [
          inAttempt('lease.acquired', names('lease'), at.value, {
            expires_at: runner.leaseUntil,
            fence,
            holder_principal_id: runner.holder,
            mode: 'isolated',
            workspace_id: runner.workspace,
          }),
          ...(state!.tasks[task] === 'ready' ? [within('task.started', task, task, {})] : []),
        ];
  const released: Drafts =
    runner === undefined ? [] : [inAttempt('lease.released', names('lease'), at.value, { because, fence })];
  return accept([
    ...taken,
    ...runReceipt(at.value, names('receipt unbegun'), { result_code: 'refused', result_summary: because }),
    inAttempt('attempt.failed', attempt, at.value, { because }),
    ...released,
  ]);
}
