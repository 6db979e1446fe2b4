// The ends that no effect leads to: an attempt that failed for good, and an approval whose time is over. Said by a gate
// or a writer; the runner whose attempt it was only handed over what came of it.
import { currentApproval } from '../approval/standing.ts';
import { isFinal } from '../attempt/blame.ts';
import type { Approval, Course } from '../course/course.ts';
import { approvalOfEffects } from './effects.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names } from './about.ts';
import { approvalReceipt } from './receipts.ts';

/**
 * A verdict against the work ends the mission: another try is another decision of people, not of a loop. So does success
 * that nobody came to write down.
 */
export function decideEnd(state: MissionState | undefined): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { task, mission, course } = at.value;
  const { status, because } = course.attempt!;
  if (status === 'succeeded')
    return accept([
      ...(state!.tasks[task] === 'running' ? [within('task.completed', task, task, { evidence: [] })] : []),
      within('mission.ended', mission, mission, { because: 'verified', outcome: 'done' }),
    ]);
  if (because === null || !isFinal({ status, because })) return refuse('mission_under_way', { mission });
  if (status === 'cancelled')
    return accept([
      within('task.cancelled', task, task, { because }),
      within('mission.ended', mission, mission, { because, outcome: 'cancelled' }),
    ]);
  return accept([
    within('task.failed', task, task, { because }),
    within('mission.ended', mission, mission, { because, outcome: 'failed' }),
  ]);
}

/**
 * Closes what was approved or asked too long ago. From here on nobody can date an event back to before it: the order of
 * the ledger says that it is over.
 */
export function decideExpiry(state: MissionState | undefined, now: string, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { task, mission, attempt, course } = at.value;
  const expired = expiredApproval(course, now);
  if (expired === undefined) return refuse('approval_unknown', { mission });
  const [approval, { request }] = expired;
  const because = 'approval_expired';
  return accept([
    inAttempt('approval.expired', approval, at.value, { because }),
    approvalReceipt(at.value, names('receipt expired'), {
      approval,
      request,
      policy: course.requests[request]?.policy?.ref ?? null,
      result_code: 'expired',
      result_summary: because,
    }),
    inAttempt('attempt.cancelled', attempt, at.value, { because }),
    within('task.cancelled', task, task, { because }),
    within('mission.ended', mission, mission, { because, outcome: 'expired' }),
  ]);
}

/** The question that the next thing to do rests on, if nobody answered it in time. What was approved is asked anew. */
export function expiredApproval(course: Course, now: string): readonly [string, Approval] | undefined {
  const isDelivering = course.attempt !== null && course.attempt.work !== null;
  const found = isDelivering ? approvalOfEffects(course).found : currentApproval(course, 'plan');
  return found !== undefined && !found[1].granted && now > found[1].expires_at ? found : undefined;
}
