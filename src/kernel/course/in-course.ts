// What the rules of a mission's course share: who signs, under which roster, and that an event is about the attempt at hand.
import type { AttemptStatus } from './attempt-status.ts';
import { isOver, moveAttempt } from './attempt-status.ts';
import type { Event } from '../event.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { Member, Roster } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { Attempt, Course, Lease, MissionCourse } from './course.ts';
import type { Plan } from './plan.ts';

type Around = {
  readonly crypto: Crypto;
  readonly mission: string;
  readonly roster: Roster;
  readonly signer: Member;
};

/** As the step sees it that the event is about. */
export type InCourse = Around & { readonly course: Course };
/** With all steps, for what is about none of them alone. */
export type InMission = Around & { readonly course: MissionCourse };

/** The attempt an event names, if it is the one at hand and not over: a zombie's event about an older one is refused. */
export function attemptOf({ attempt, step }: Course, event: Event): Verdict<Attempt> {
  const isAbout = attempt?.id === event.attempt_id && step?.id === event.step_id && step?.task === event.task_id;
  if (attempt === null || !isAbout)
    return refuse('attempt_stale', { attempt: event.attempt_id ?? '', current: attempt?.id ?? '' });
  return isOver(attempt.status)
    ? refuse('attempt_over', { attempt: attempt.id, status: attempt.status })
    : accept(attempt);
}

/** The course with its attempt moved on. */
export function onAttempt(
  event: Event,
  course: Course,
  to: AttemptStatus,
  changes: Partial<Attempt> = {},
): Verdict<Course> {
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const status = moveAttempt(attempt.value.status, to);
  return status.is === 'refused'
    ? status
    : accept({ ...course, attempt: { ...attempt.value, ...changes, status: status.value } });
}

/** The plan of the revision at hand: until a revision has its own, nobody can agree to anything. */
export function currentPlan({ plan, revision }: Pick<Course, 'plan' | 'revision'>): Verdict<Plan> {
  if (plan === null) return refuse('plan_missing');
  if (plan.revision !== revision) return refuse('revision_stale', { revision: plan.revision, expected: revision });
  return accept(plan);
}

/** Only the holder of the lease, under the number it was given, in its time: anybody else is late or an impostor. */
export function underLease({ course, signer }: InCourse, event: Event, fence: number): Verdict<Lease> {
  const { lease } = course;
  if (lease === null || lease.fence !== fence) return refuse('lease_lost', { fence, current: course.fence });
  if (lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder, fence });
  if (event.occurred_at > lease.expires_at) return refuse('lease_lost', { fence, expired_at: lease.expires_at });
  return accept(lease);
}
