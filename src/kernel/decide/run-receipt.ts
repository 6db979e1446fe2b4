// The receipt of an attempt's run, however it went: of the cell that it was, or of the request that came to nothing.
import type { EventOf } from '../event.ts';
import { agentCellOf, type Course } from '../course/course.ts';
import { runRequest, type Drafts, type UnderWay } from './about.ts';
import { receiptOf, type Said } from './receipts.ts';

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
