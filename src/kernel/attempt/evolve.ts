// Steps and attempts: one open attempt at a time, numbered upwards, each ended exactly once.
import type { EventOf } from '../event.ts';
import { attemptOf, onAttempt, type InCourse } from '../mission/in-course.ts';
import type { Attempt, Course } from '../mission/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { isOver } from './status.ts';

export function createStep({ course }: InCourse, event: EventOf<'step.created'>): Verdict<Course> {
  if (course.step !== null) return refuse('step_exists', { step: course.step.id });
  const { max_attempts } = event.payload;
  return accept({ ...course, step: { id: event.entity_id, task: event.task_id, max_attempts } });
}

export function createAttempt({ course }: InCourse, event: EventOf<'attempt.created'>): Verdict<Course> {
  const { attempt_no: no, resume_from_ref } = event.payload;
  const { step, attempt: last } = course;
  if (step === null || event.step_id !== step.id || event.attempt_id !== event.entity_id || event.task_id !== step.task)
    return refuse('event_malformed', { event_type: event.event_type, at: 'step_id' });
  if (last !== null && !isOver(last.status)) return refuse('attempt_open', { attempt: last.id, status: last.status });
  if (no !== (last?.no ?? 0) + 1 || resume_from_ref !== (last?.id ?? null))
    return refuse('attempt_stale', { attempt_no: no, expected: (last?.no ?? 0) + 1 });
  if (no > step.max_attempts) return refuse('attempts_exhausted', { attempts_max: step.max_attempts });
  const attempt: Attempt = {
    id: event.entity_id,
    no,
    status: 'created',
    because: null,
    work: null,
    verdict: null,
    planned: null,
  };
  // What an attempt asked for ends with it; what people approved for the plan does not.
  return accept({ ...course, attempt, requests: {}, grants: {} });
}

export function endAttempt(
  { course, signer }: InCourse,
  event: EventOf<'attempt.failed' | 'attempt.cancelled' | 'attempt.superseded' | 'attempt.succeeded'>,
): Verdict<Course> {
  // A runner gives up what it holds. Work that was handed over, or another's attempt, is not its to throw away.
  const isJudge = signer.roles.includes('gate') || signer.roles.includes('writer');
  const isTheirs = course.lease === null ? isUnbegun(course) : course.lease.holder === signer.principal_id;
  if (event.event_type === 'attempt.failed' && !isJudge && !isTheirs)
    return refuse('lease_lost', { holder: course.lease?.holder ?? 'none', signer: signer.principal_id });
  if (course.cell !== null) return refuse('cell_open', { cell: course.cell.id });
  if (event.event_type === 'attempt.succeeded') return succeed(course, event);
  if (Object.keys(course.effects).length > 0)
    return refuse('receipt_missing', { effects: Object.keys(course.effects).length });
  const to = ENDS[event.event_type];
  return onAttempt(event, { ...course, requests: {}, grants: {} }, to, { because: event.payload.because });
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
  const missing = planned?.effects.filter(({ outcome }) => outcome !== 'applied') ?? [];
  if (missing.length > 0) return refuse('effect_missing', { attempt: id, kinds: missing.map(({ kind }) => kind) });
  return onAttempt(event, { ...course, requests: {}, grants: {} }, 'succeeded');
}

const ENDS = {
  'attempt.failed': 'failed',
  'attempt.cancelled': 'cancelled',
  'attempt.superseded': 'superseded',
} as const;
