// Attempts: one open at a time, numbered upwards, each ended exactly once.
import type { EffectKind } from '../course/classes.ts';
import { enforced } from '../enforced.ts';
import type { EventOf, EventType } from '../event.ts';
import { attemptOf, onAttempt, underLease, type InCourse } from '../course/in-course.ts';
import type { Attempt, Course } from '../course/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { mayTryAgain } from './blame.ts';
import { isOver } from '../course/attempt-status.ts';
import { overCourse, type Rules } from '../rule.ts';

function createAttempt({ course }: InCourse, event: EventOf<'attempt.created'>): Verdict<Course> {
  const { attempt_no: no, resume_from_ref } = event.payload;
  const { step, attempt: last } = course;
  if (step === null || event.step_id !== step.id || event.attempt_id !== event.entity_id || event.task_id !== step.task)
    return refuse('event_malformed', { event_type: event.event_type, at: 'step_id' });
  if (last !== null && !isOver(last.status)) return refuse('attempt_open', { attempt: last.id, status: last.status });
  // What was asked for is done: another attempt would do it again.
  if (last?.status === 'succeeded') return refuse('mission_succeeded', { attempt: last.id });
  if (no !== (last?.no ?? 0) + 1 || resume_from_ref !== (last?.id ?? null))
    return refuse('attempt_stale', { attempt_no: no, expected: (last?.no ?? 0) + 1 });
  if (no > step.max_attempts) return refuse('attempts_exhausted', { attempts_max: step.max_attempts });
  const attempt: Attempt = {
    id: event.entity_id,
    no,
    status: 'created',
    because: null,
    births: 0,
    prepares: 0,
    work: null,
    checks: [],
    verdict: null,
    planned: null,
    applied: [],
  };
  // What an attempt asked for ends with it; what people approved for the plan does not.
  return accept({ ...course, attempt, requests: {}, grants: {}, runs: {}, caused: [] });
}

function compileContext(at: InCourse, event: EventOf<'context.compiled'>): Verdict<Course> {
  const { course } = at;
  const lease = underLease(at, event, course.fence);
  return lease.is === 'refused' ? lease : onAttempt(event, course, 'compiling_context');
}

type Ending = EventOf<'attempt.failed' | 'attempt.cancelled' | 'attempt.superseded'>;

function endAttempt({ course, signer }: InCourse, event: Ending | EventOf<'attempt.succeeded'>): Verdict<Course> {
  // A runner gives up what it holds. Work that was handed over, or another's attempt, is not its to throw away.
  const isJudge = signer.roles.includes('gate') || signer.roles.includes('writer');
  const isTheirs =
    course.lease === null
      ? isUnbegun(course) && isOwnFault(course, event)
      : course.lease.holder === signer.principal_id;
  if (event.event_type === 'attempt.failed' && !isJudge && !isTheirs)
    return refuse('lease_lost', { holder: course.lease?.holder ?? 'none', signer: signer.principal_id });
  const open = Object.keys(course.cells)[0];
  if (open !== undefined) return refuse('cell_open', { cell: open });
  if (event.event_type === 'attempt.succeeded') return succeed(course, event);
  if (Object.keys(course.effects).length > 0)
    return refuse('receipt_missing', { effects: Object.keys(course.effects).length });
  const to = ENDS[event.event_type];
  return onAttempt(event, { ...course, requests: {}, grants: {} }, to, { because: event.payload.because });
}

/** Whoever has done nothing yet blames its own machine, or the grant that ran out: the work it has no judgement on. */
function isOwnFault({ grants }: Course, event: Ending | EventOf<'attempt.succeeded'>): boolean {
  if (event.event_type !== 'attempt.failed' || !enforced('unbegun_blames_the_runner')) return true;
  const { because } = event.payload;
  const runs = Object.values(grants).some(
    (one) => one.action_class === 'execute_command' && event.occurred_at <= one.expires_at,
  );
  return mayTryAgain(because) || (because === 'grant_expired' && !runs);
}

/** Granted, and for any runner to begin: one that cannot says so. */
function isUnbegun({ attempt }: Course): boolean {
  return attempt?.status === 'authorized' && attempt.work === null;
}

/** Done means: an independent run said so, and everything that was to be caused was, and has its receipt. */
function succeed(course: Course, event: EventOf<'attempt.succeeded'>): Verdict<Course> {
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const { verdict, work, id, planned } = attempt.value;
  if (work === null || verdict !== 'satisfied')
    return refuse('nothing_done', { attempt: id, verdict: verdict ?? 'none' });
  const owed = Object.keys(course.effects).length;
  if (owed > 0) return refuse('receipt_missing', { attempt: id, effects: owed });
  // The run that the work came out of, as well: it was one of the things that were granted.
  if (!Object.values(course.runs).some(({ receipt }) => receipt === 'succeeded'))
    return refuse('receipt_missing', { attempt: id, runs: Object.keys(course.runs) });
  const missing = planned?.effects.filter(({ outcome }) => outcome !== 'applied') ?? [];
  if (missing.length > 0) return refuse('effect_missing', { attempt: id, kinds: missing.map(({ kind }) => kind) });
  const unmet = kindsUnmet(course, attempt.value);
  if (enforced('done_covers_every_ask') && unmet.length > 0)
    return refuse('effect_missing', { attempt: id, kinds: unmet });
  return onAttempt(event, { ...course, requests: {}, grants: {} }, 'succeeded');
}

/** What people were asked for and the attempt neither caused nor was denied by policy: leaving it out is not doing it. */
function kindsUnmet({ plan, requests }: Course, { applied }: Attempt): readonly EffectKind[] {
  const declined = Object.values(requests).flatMap(({ kind, policy }) => (policy?.result === 'deny' ? [kind] : []));
  const asked = plan?.asks.flatMap(({ kind }) => kind ?? []) ?? [];
  return asked.filter((kind) => !applied.includes(kind) && !declined.includes(kind));
}

const ENDS = {
  'attempt.failed': 'failed',
  'attempt.cancelled': 'cancelled',
  'attempt.superseded': 'superseded',
} as const;

export const attemptRules = {
  'attempt.created': overCourse(createAttempt),
  'context.compiled': overCourse(compileContext),
  'attempt.succeeded': overCourse(endAttempt),
  'attempt.failed': overCourse(endAttempt),
  'attempt.cancelled': overCourse(endAttempt),
  'attempt.superseded': overCourse(endAttempt),
} satisfies Partial<Rules<EventType>>;
