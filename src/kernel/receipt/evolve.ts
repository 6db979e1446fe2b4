// Receipts in the course of a mission: one terminal one for each thing that state knows, by whoever may say it, naming what
// was used. Whether there are enough of them is for those who end things to ask.
import { isOver } from '../course/attempt-status.ts';
import { enforced } from '../enforced.ts';
import type { EventOf, EventType } from '../event.ts';
import { REMEMBERED_MAX } from '../limits.ts';
import { onAttempt, type InCourse } from '../course/in-course.ts';
import { without, type Attempt, type Course, type Effect, type Request } from '../course/course.ts';
import { overCourse, type Rules } from '../rule.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { maySignReceipt, type Receipt } from './classes.ts';
import { subjectOf, type Due } from './due.ts';

function issueReceipt(at: InCourse, event: EventOf<'receipt.issued'>): Verdict<Course> {
  const { course, signer } = at;
  const { receipt_class, result_code, subject_ref } = event.payload;
  if (course.attempt === null || course.attempt.id !== event.attempt_id)
    return refuse('attempt_stale', { attempt: event.attempt_id ?? '', current: course.attempt?.id ?? '' });
  if (enforced('receipt_class_by_role') && !maySignReceipt(event.payload, signer.roles))
    return refuse('role_not_allowed', { principal: signer.principal_id, receipt_class, result_code });
  const subject = subjectOf(course, subject_ref);
  if (enforced('receipt_subject_known') && subject.is === 'unknown')
    return refuse('receipt_subject_unknown', { subject: subject_ref });
  if (enforced('receipt_once') && subject.is === 'receipted') return refuse('receipt_exists', { subject: subject_ref });
  if (enforced('receipt_names_what_was_used') && subject.is === 'open')
    return refuse('receipt_mismatch', { subject: subject_ref, result_code, at: 'subject_ref' });
  const counted = { ...course, receipts: course.receipts + 1 };
  if (!('due' in subject)) return accept(counted);
  const differs = difference(subject.due, event.payload);
  if (enforced('receipt_names_what_was_used') && differs !== undefined)
    return refuse('receipt_mismatch', { subject: subject_ref, result_code, at: differs });
  switch (subject.is) {
    case 'effect':
      return closeEffect(counted, event);
    case 'run':
      return isTheirs(at) ? accept(closeRun(counted, event.payload)) : leaseLost(at);
    case 'approval':
      return accept({ ...counted, owed: without(counted.owed, subject_ref) });
    case 'request':
      return isTheirs(at) ? accept(closeRequest(counted, subject_ref)) : leaseLost(at);
  }
}

/** The first field that says something else than what state knows. */
function difference(due: Due, said: Receipt): string | undefined {
  if (said.receipt_class !== due.receipt_class) return 'receipt_class';
  if (!due.results.includes(said.result_code)) return 'result_code';
  const named = [
    'action_request_ref',
    'approval_ref',
    'capability_grant_ref',
    'policy_result_ref',
    'decision_ref',
  ] as const;
  const other = named.find((name) => said[name] !== due[name]);
  if (other !== undefined) return other;
  const { environment_ref: environment } = due;
  const isNamed = environment === undefined ? said.environment_ref !== null : said.environment_ref === environment;
  if (!isNamed) return 'environment_ref';
  if (said.input_refs.join() !== due.input_refs.join()) return 'input_refs';
  const { only, refs } = due.outputs;
  if (only ? said.output_refs.join() !== refs.join() : !refs.every((ref) => said.output_refs.includes(ref)))
    return 'output_refs';
  return said.rollback.how === due.rollback.how && said.rollback.supported === due.rollback.supported
    ? undefined
    : 'rollback';
}

/** A runner speaks of the run it holds, or of one that nobody has begun. */
function isTheirs({ course, signer }: InCourse): boolean {
  if (signer.roles.includes('gate') || signer.roles.includes('writer')) return true;
  return course.lease === null ? course.attempt?.status === 'authorized' : course.lease.holder === signer.principal_id;
}

function leaseLost({ course, signer }: InCourse): Verdict<never> {
  return refuse('lease_lost', { holder: course.lease?.holder ?? 'none', signer: signer.principal_id });
}

function closeEffect(course: Course, event: EventOf<'receipt.issued'>): Verdict<Course> {
  const { subject_ref } = event.payload;
  const effect = course.effects[subject_ref]!;
  // It stays owed until somebody finds out: nothing unknown is ever closed, and nothing unknown is repeated.
  if (effect.outcome === null || effect.outcome === 'unknown_outcome') return accept(course);
  const isFinal = effect.outcome === 'applied' || effect.settled_by !== undefined;
  const next: Course = {
    ...course,
    effects: without(course.effects, subject_ref),
    requests: without(course.requests, effect.request),
    grants: withoutGrantsFor(course, effect.request),
    caused: isFinal ? [...course.caused.slice(1 - REMEMBERED_MAX), effect.effect] : course.caused,
  };
  // Where another effect could not even be looked at, the attempt goes on with what is left of it.
  const isAllSeen = Object.values(next.effects).every((one) => one.outcome !== null);
  return onAttempt(event, next, isAllSeen ? 'receipt_pending' : 'executing', afterwards(course.attempt!, effect));
}

function afterwards({ planned, applied }: Attempt, { request, kind, outcome }: Effect): Partial<Attempt> {
  const known = outcome === 'unknown_outcome' ? null : outcome;
  return {
    planned:
      planned === null
        ? null
        : {
            ...planned,
            effects: planned.effects.map((one) => (one.request === request ? { ...one, outcome: known } : one)),
          },
    applied: outcome === 'applied' && !applied.includes(kind) ? [...applied, kind] : applied,
  };
}

function closeRun(course: Course, { subject_ref: id, result_code }: Receipt): Course {
  const receipt = result_code === 'succeeded' || result_code === 'refused' ? result_code : 'failed';
  return { ...course, runs: { ...course.runs, [id]: { ...course.runs[id]!, receipt } } };
}

/** Said to have come to nothing. Its grant stays to be seen, of no more use: whether it had run out is still to be asked. */
function closeRequest(course: Course, id: string): Course {
  return { ...course, requests: { ...course.requests, [id]: { ...course.requests[id]!, receipted: true } } };
}

function withoutGrantsFor(course: Course, request: string): Course['grants'] {
  const used = Object.entries(course.grants).filter(([, one]) => one.request === request);
  return without(course.grants, ...used.map(([id]) => id));
}

/** Asked at the end of a transaction: no approval is settled without a word, and no run called off that may still begin. */
export function checkReceipts(state: State): Verdict<undefined> {
  const course = state.kind === 'mission' ? state.course : undefined;
  if (!enforced('settlement_receipted') || course === undefined) return accept(undefined);
  const approvals = Object.keys(course.owed);
  if (approvals.length > 0) return refuse('receipt_missing', { approvals });
  for (const { attempt, requests } of Object.values(course.steps)) {
    const isOpen = attempt !== null && !isOver(attempt.status);
    const calledOff = Object.keys(requests).filter((id) => isCalledOff(requests[id]!));
    if (isOpen && calledOff.length > 0) return refuse('attempt_open', { attempt: attempt.id, called_off: calledOff });
  }
  return accept(undefined);
}

function isCalledOff({ receipted, kind, policy }: Request): boolean {
  return receipted && kind === null && policy?.result !== 'deny' && policy?.result !== 'downgrade';
}

export const receiptRules = { 'receipt.issued': overCourse(issueReceipt) } satisfies Partial<Rules<EventType>>;
