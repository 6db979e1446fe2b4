// Receipts as they are drafted: what state knows of the subject fills in what was used; whoever drafts it says how it went.
import { RECEIPT_REFS_MAX } from '../limits.ts';
import { type Course, agentCellOf, runRequest } from '../course/course.ts';
import { NO_ROLLBACK, type Receipt } from '../receipt/classes.ts';
import { subjectOf } from '../receipt/due.ts';
import { inAttempt, type Drafts, type InAttempt, type UnderWay } from './about.ts';
import type { EventOf } from '../event.ts';

export type Said = Pick<Receipt, 'replay_class' | 'result_code' | 'result_summary'> & {
  readonly environment_ref?: string | null;
  /** Besides what it has to name. */
  readonly output_refs?: readonly string[];
};

/** `course`: as it will be when the receipt is issued. None where there is nothing to say of it. */
export function receiptOf(at: InAttempt, course: Course, about: { id: string; subject: string }, said: Said): Drafts {
  const subject = subjectOf(course, about.subject);
  if (!('due' in subject)) return [];
  const { results: _, outputs, environment_ref, input_refs, ...due } = subject.due;
  const { output_refs = [], environment_ref: named = null, ...word } = said;
  const more = outputs.only ? [] : output_refs.filter((ref) => !outputs.refs.includes(ref));
  return [
    inAttempt('receipt.issued', about.id, at, {
      ...due,
      ...word,
      environment_ref: environment_ref === undefined ? named : environment_ref,
      input_refs: [...input_refs],
      output_refs: [...outputs.refs, ...more].slice(0, RECEIPT_REFS_MAX),
      subject_ref: about.subject,
    }),
  ];
}

/** Of an approval that is settled in the same transaction. */
export function approvalReceipt(
  at: InAttempt,
  id: string,
  {
    approval,
    request,
    policy,
    ...said
  }: Pick<Receipt, 'result_code' | 'result_summary'> & {
    readonly approval: string;
    readonly request: string;
    readonly policy: string | null;
  },
): Drafts[number] {
  return inAttempt('receipt.issued', id, at, {
    ...said,
    action_request_ref: request,
    approval_ref: approval,
    capability_grant_ref: null,
    environment_ref: null,
    input_refs: [],
    output_refs: [],
    policy_result_ref: policy,
    receipt_class: 'approval_resolution',
    replay_class: 'explain_only',
    rollback: NO_ROLLBACK,
    subject_ref: approval,
  });
}

// The receipt of an attempt's run, however it went: of the cell that it was, or of the request that came to nothing.
type Closed = Pick<EventOf<'cell.closed'>['payload'], 'outcome' | 'facts' | 'output'>;

/** None where every cell of the attempt has its receipt. `closed`: how the open one is closed, in the same transaction. */
export function runReceipt(at: UnderWay, id: string, said: Omit<Said, 'replay_class'>, closed?: Closed): Drafts {
  const course = closed === undefined ? at.course : withClosed(at.course, closed);
  const cells = Object.keys(course.runs);
  const cell = cells.find((one) => course.runs[one]!.receipt === null);
  const subject = cell ?? (cells.length === 0 ? runRequest(course)?.[0] : undefined);
  if (subject === undefined) return [];
  return receiptOf(at, course, { id, subject }, { ...said, replay_class: 'explain_only' });
}

function withClosed(course: Course, { outcome, facts, output }: Closed): Course {
  const cell = agentCellOf(course);
  const run = cell === undefined ? undefined : course.runs[cell];
  if (cell === undefined || run === undefined) return course;
  return { ...course, runs: { ...course.runs, [cell]: { ...run, closed: { outcome, facts, output } } } };
}
