// The legal ways for a dispatched session to stop. Anything else is idle waiting, which no session may do.
import { accept, refuse, type Verdict } from '../verdict.ts';
import { judgeBlocked, type Blocked } from './blocked.ts';
import { judgeDone, type Done } from './done.ts';

export type Stop = 'done_clean' | 'pending' | 'failed' | 'blocked';

export function judgeStop(
  left: { readonly done: Done | undefined; readonly blocked: Blocked | undefined; readonly fallbackRunning: boolean },
  gatesRequired: readonly string[],
): Verdict<Stop> {
  const { done, blocked, fallbackRunning } = left;
  if (done === undefined) return refuse('done_missing');
  if (blocked !== undefined && done.status !== 'done_clean') {
    const legal = judgeBlocked(blocked, fallbackRunning);
    return legal.is === 'refused' ? legal : accept('blocked');
  }
  const claim = judgeDone(done, gatesRequired);
  return claim.is === 'refused' ? claim : accept(claim.value.status);
}
