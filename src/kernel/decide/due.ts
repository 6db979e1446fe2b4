// What a mission is waiting for, computed from its state alone: who should act next, and on what. A crash anywhere is
// healed by whoever asks this question next, on any machine.
import { courseOf } from '../course/steps.ts';
import { EFFECTS_APPROVAL_TIER } from '../action/authority.ts';
import { isFinal } from '../attempt/blame.ts';
import { isOver } from '../course/attempt-status.ts';
import type { Course } from '../course/course.ts';
import type { MissionState } from '../state.ts';
import { effectsApproval } from './effects.ts';
import { expiredApproval } from './end.ts';

export type Due =
  /** Nothing is owed: it waits for people, or it is over. */
  | { readonly is: 'people' }
  | { readonly is: 'over' }
  /** A revision without a plan. */
  | { readonly is: 'plan' }
  /** Approved by people, and not granted yet: another mission had a path, or somebody held this one. */
  | { readonly is: 'grant' }
  | { readonly is: 'cell' }
  /** A cell, or its successor's check, is under way elsewhere. */
  | { readonly is: 'busy'; readonly holder: string; readonly fence: number; readonly until: string }
  /** A cell whose supervisor is gone, or an attempt that ended without its successor. */
  | { readonly is: 'recover' }
  /** An attempt that failed for good, or a word that called it off, of a mission that nobody has ended yet. */
  | { readonly is: 'end' }
  /** Somebody holds it: what ran came to its end, and nothing else begins until it is let go on. */
  | { readonly is: 'held'; readonly by: string }
  /** What people approved, or were asked, is too long ago. */
  | { readonly is: 'expire' }
  /** Work that was verified and is not delivered yet. */
  | { readonly is: 'deliver' }
  /** Intents without outcomes: look first. */
  | { readonly is: 'observe' };

/**
 * `now`: an instant; a lease whose time is over holds nobody up. `own`: leases of this holder are known to be abandoned.
 * `silent`: the fence of one that nothing was heard of for too long.
 */
export function whatIsDue(
  state: Pick<MissionState, 'course'>,
  { now, own, silent }: { readonly now: string; readonly own?: string; readonly silent?: number | undefined },
): Due {
  const course = courseOf(state);
  if (course === undefined) return { is: 'people' };
  if (course.end !== null) return { is: 'over' };
  const { lease, attempt } = course;
  const isTaken = lease !== null && lease.holder !== own && lease.fence !== silent && now <= lease.expires_at;
  const isPlanned = course.plan?.revision === course.revision;
  if (isTaken && (isPlanned || course.cancelled !== null))
    return { is: 'busy', holder: lease.holder, fence: lease.fence, until: lease.expires_at };
  const isOpen = Object.keys(course.cells).length > 0 || lease !== null;
  if (course.cancelled !== null) return { is: isOpen ? 'recover' : 'end' };
  const held = course.held === null ? undefined : ({ is: 'held', by: course.held.by } as const);
  const isBetween = attempt !== null && isOver(attempt.status);
  // With its plan another attempt would begin.
  if (!isPlanned) return isBetween && held !== undefined ? held : { is: 'plan' };
  if (Object.keys(course.effects).length > 0) return { is: 'observe' };
  if (attempt === null) return { is: 'plan' };
  if (isOpen) return { is: 'recover' };
  // All was done, and whoever did it did not come to say so: that is a writer's to finish.
  if (attempt.status === 'succeeded') return { is: 'deliver' };
  if (isBetween) return isFinal(attempt) ? { is: 'end' } : (held ?? { is: 'recover' });
  // Time goes on while it is held.
  if (expiredApproval(course, now) !== undefined) return { is: 'expire' };
  if (held !== undefined) return held;
  if (attempt.work !== null && attempt.verdict === 'satisfied') return deliverable(course);
  if (attempt.status !== 'authorized') return { is: 'people' };
  return Object.values(course.grants).some((one) => one.action_class === 'execute_command')
    ? { is: 'cell' }
    : { is: 'grant' };
}

function deliverable(course: Course): Due {
  const isAsked = Object.values(course.approvals).some(({ type }) => type === 'effects');
  const needsPeople = course.plan!.tier >= EFFECTS_APPROVAL_TIER && isAsked && effectsApproval(course) === undefined;
  return needsPeople ? { is: 'people' } : { is: 'deliver' };
}
