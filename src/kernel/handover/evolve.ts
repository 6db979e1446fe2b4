// Work and what was made of it: a claim changes nothing, the commit is taken once, the verdict comes from a run of our own.
import type { EventOf, EventType } from '../event.ts';
import { attemptOf, onAttempt, underLease, type InCourse } from '../course/in-course.ts';
import type { Attempt, Course } from '../course/course.ts';
import type { Plan } from '../course/plan.ts';
import { enforced } from '../enforced.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overCourse, type Rules } from '../rule.ts';

function hearClaim(at: InCourse, event: EventOf<'done.claimed' | 'blocked.raised' | 'work.refused'>): Verdict<Course> {
  const attempt = attemptOf(at.course, event);
  if (attempt.is === 'refused') return attempt;
  const lease = underLease(at, event, event.payload.fence);
  return lease.is === 'refused' ? lease : accept(at.course);
}

function proposeWork(at: InCourse, event: EventOf<'work.proposed'>): Verdict<Course> {
  const { course } = at;
  const { fence, commit, tree, base_commit, changed_paths } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  if (course.attempt?.work !== null) return refuse('work_exists', { attempt: course.attempt?.id ?? '' });
  if (base_commit !== course.plan?.base_commit)
    return refuse('ref_moved', { base: base_commit, approved: course.plan?.base_commit ?? '' });
  if (changed_paths === 0) return refuse('nothing_done', { attempt: course.attempt.id });
  return onAttempt(event, course, 'observing', { work: { commit, tree, base_commit } });
}

function recordVerification(at: InCourse, event: EventOf<'verification.recorded'>): Verdict<Course> {
  const { course } = at;
  const { fence, revision, verdict, checks } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  const attempt = course.attempt;
  if (attempt === null || attempt.work?.commit !== revision)
    return refuse('revision_stale', { revision, expected: attempt?.work?.commit ?? '' });
  if (attempt.verdict !== null) return refuse('verdict_exists', { attempt: attempt.id });
  if (enforced('checks_as_planned') && !isAsPlanned(checks, attempt, course.plan!))
    return refuse('checks_not_planned', { results: checks.length, planned: course.plan!.checks.length });
  const isPassed = checks.every(({ exit_code }) => exit_code === 0) && checks.some(({ check }) => check === 'verify');
  if ((verdict === 'satisfied') !== isPassed) return refuse('verdict_unfounded', { verdict });
  // A cell weaker than what was approved proves nothing about code that nobody trusts yet.
  if (checks.some(({ level }) => level < course.plan!.level))
    return refuse('level_unmet', { asked: course.plan!.level });
  return onAttempt(event, course, 'observing', { verdict });
}

/** Exactly those that were planned, in their order, each with what its own cell was and ended with. */
function isAsPlanned(
  results: EventOf<'verification.recorded'>['payload']['checks'],
  ran: Attempt,
  plan: Plan,
): boolean {
  return (
    results.length === plan.checks.length &&
    results.every((one, n) => {
      const run = ran.checks[n];
      const isOfItsCell = run?.ended === true && run.cell === one.cell && run.exit_code === one.exit_code;
      return isOfItsCell && run.level === one.level && one.n === n && one.check === plan.checks[n];
    })
  );
}

export const handoverRules = {
  'done.claimed': overCourse(hearClaim),
  'blocked.raised': overCourse(hearClaim),
  'work.refused': overCourse(hearClaim),
  'work.proposed': overCourse(proposeWork),
  'verification.recorded': overCourse(recordVerification),
} satisfies Partial<Rules<EventType>>;
