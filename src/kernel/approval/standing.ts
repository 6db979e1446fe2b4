// What people are asked about a mission now, or agreed to, and what that is worth under the roster and at the time of whoever
// asks: people leave, and words grow old. Knows no event.
import type { Approval, Course } from '../course/course.ts';
import type { Roster } from '../roster/roster.ts';
import { ballotOf, tally } from './voters.ts';

/** The one about the plan, or about the exact effects, as they are now: what was asked about earlier ones binds nobody. */
export function currentApproval(course: Course, type: Approval['type']): readonly [string, Approval] | undefined {
  const digest = type === 'plan' ? course.plan?.plan_digest : course.attempt?.planned?.digest;
  return Object.entries(course.approvals).find(([, one]) => one.type === type && one.digest === digest);
}

/** Both of them, as far as they are there. */
export function currentApprovals(course: Course): readonly (readonly [string, Approval])[] {
  return (['plan', 'effects'] as const).flatMap((type) => {
    const found = currentApproval(course, type);
    return found === undefined ? [] : [found];
  });
}

/** The question that waits for people. */
export function openQuestion(course: Course): readonly [string, Approval] | undefined {
  return currentApprovals(course).find(([, { granted }]) => !granted);
}

export type Standing =
  /** Somebody is missing, or says no. */
  | 'asked'
  /** Whoever had to agree does, and nobody has written down that it is so: who said no has left, or is not who they seemed. */
  | 'agreed'
  | 'granted'
  /** It was granted, and too few of those who agreed are still there. */
  | 'fallen'
  | 'expired';

export function standingOf(
  { course, roster }: { readonly course: Course; readonly roster: Roster },
  { granted, votes, expires_at }: Approval,
  now: string,
): Standing {
  const { missing, rejecting } = tally(ballotOf({ course, roster }), votes);
  if (!granted) return missing === 0 && rejecting.length === 0 ? 'agreed' : 'asked';
  if (now > expires_at) return 'expired';
  return missing > 0 ? 'fallen' : 'granted';
}
