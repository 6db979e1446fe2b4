// What a mission is waiting for, computed from its state alone: who should act next, and on what. A crash anywhere is
// healed by whoever asks this question next, on any machine.
import { currentApproval, standingOf } from '../approval/standing.ts';
import { isFinal } from '../attempt/blame.ts';
import { isOver } from '../course/attempt-status.ts';
import type { Attempt, Course } from '../course/course.ts';
import { isUnderPolicy, type PolicyInForce } from '../course/plan.ts';
import { courseOf } from '../course/steps.ts';
import type { MissionState } from '../state.ts';
import { approvalOfEffects } from './effects.ts';
import { expiredApproval } from './end.ts';

export type Due =
  /** Nothing is owed: it waits for people, or it is over. */
  | { readonly is: 'people' }
  | { readonly is: 'over' }
  /** A revision without a plan; or one whose plan is for nothing any more, although nobody has begun it. */
  | { readonly is: 'plan'; readonly because?: 'approval_expired' | 'policy_drifted' | 'quorum_missing' }
  /** Agreed to by people, and nothing came of it yet: another mission had a path, somebody held this one, or said no and left. */
  | { readonly is: 'grant' }
  /** Granted, and not begun when those left who had agreed: people are asked again. */
  | { readonly is: 'ask'; readonly because: 'quorum_missing' }
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
 * Under which circumstances. `now`: an instant; a lease whose time is over holds nobody up. `own`: leases of this holder are known to be abandoned.
 * `silent`: the fence of one that nothing was heard of for too long. `inForce`: the policy, where it is known.
 */
export type Asking = {
  readonly now: string;
  readonly own?: string;
  readonly silent?: number | undefined;
  readonly inForce?: PolicyInForce | undefined;
};

export function whatIsDue(state: Pick<MissionState, 'course' | 'roster'>, { now, own, silent, inForce }: Asking): Due {
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
  // With its plan another attempt would begin, if there is one.
  const isLast = isBetween && attempt.no >= course.step!.max_attempts;
  if (!isPlanned && !isLast) return isBetween && held !== undefined ? held : { is: 'plan' };
  if (Object.keys(course.effects).length > 0) return { is: 'observe' };
  if (attempt === null) return { is: 'plan' };
  if (isOpen) return { is: 'recover' };
  // All was done, and whoever did it did not come to say so: that is a writer's to finish.
  if (attempt.status === 'succeeded') return { is: 'deliver' };
  if (isBetween) return isFinal(attempt) ? { is: 'end' } : (held ?? { is: 'recover' });
  // Time goes on while it is held.
  if (expiredApproval(course, now) !== undefined) return { is: 'expire' };
  if (held !== undefined) return held;
  const at = { course, roster: state.roster, now, inForce };
  if (attempt.work !== null && attempt.verdict === 'satisfied') return deliverable(at);
  const begin = BEGINNING[attempt.status];
  // Nobody works on it, and whoever did left nothing: its runner is as good as gone.
  return begin === undefined ? { is: 'recover' } : begin(at);
}

type At = Pick<Asking, 'now' | 'inForce'> & Pick<MissionState, 'roster'> & { readonly course: Course };

/** What an attempt waits for that nobody has begun. */
const BEGINNING: Readonly<Partial<Record<Attempt['status'], (at: At) => Due>>> = {
  created: unasked,
  awaiting_policy: unasked,
  awaiting_approval: asked,
  authorized,
};

/** What policy said no to is for people to propose otherwise. */
function unasked({ course }: At): Due {
  const answers = Object.values(course.requests).map(({ policy }) => policy?.result);
  return answers.some((one) => one === 'deny' || one === 'downgrade') ? { is: 'people' } : { is: 'plan' };
}

function asked(at: At): Due {
  const [, approval] = currentApproval(at.course, 'plan') ?? [];
  // Somebody took the question back: nobody could answer it.
  if (approval === undefined) return { is: 'plan', because: 'quorum_missing' };
  return { is: standingOf(at, approval, at.now) === 'agreed' ? 'grant' : 'people' };
}

/** An attempt is not spent on finding out that it may not begin. */
function authorized(at: At): Due {
  const { course, now, inForce } = at;
  if (!isUnderPolicy(course.plan!, inForce)) return { is: 'plan', because: 'policy_drifted' };
  const grant = Object.values(course.grants).find((one) => one.action_class === 'execute_command');
  if (grant !== undefined && now > grant.expires_at) return { is: 'plan', because: 'approval_expired' };
  // By policy's word alone.
  if (grant?.approval === null) return { is: 'cell' };
  const [, approval] = currentApproval(course, 'plan') ?? [];
  if (approval === undefined) return { is: 'plan', because: 'quorum_missing' };
  switch (standingOf(at, approval, now)) {
    case 'asked':
      return { is: 'plan', because: 'quorum_missing' };
    case 'expired':
      return { is: 'plan', because: 'approval_expired' };
    case 'fallen':
      return { is: 'ask', because: 'quorum_missing' };
    case 'agreed':
      return { is: 'grant' };
    case 'granted':
      return { is: grant === undefined ? 'grant' : 'cell' };
  }
}

/** Whoever delivers asks again where those left who had agreed, and finds what else has changed. */
function deliverable(at: At): Due {
  const [, approval] = approvalOfEffects(at.course).found ?? [];
  if (approval === undefined) return { is: 'deliver' };
  const standing = standingOf(at, approval, at.now);
  if (standing === 'asked') return { is: 'people' };
  return { is: standing === 'agreed' ? 'grant' : 'deliver' };
}
