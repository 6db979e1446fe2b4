// Every id is drawn once: a second thing under the id of a first would let a receipt, a vote or a grant of one pass for
// that of the other. Remembers the last ids only; older ones stand in the history.
import { enforced } from '../enforced.ts';
import type { Event, EventType } from '../event.ts';
import { REMEMBERED_MAX } from '../limits.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { MissionCourse } from './course.ts';

const DRAWS: ReadonlySet<EventType> = new Set<EventType>([
  'attempt.created',
  'action.requested',
  'policy.evaluated',
  'approval.requested',
  'vote.cast',
  'grant.issued',
  'cell.spawned',
  'effect.intended',
  'decision.recorded',
  'receipt.issued',
]);

/** The course after an event, with the id that it drew. */
export function withItsId(course: MissionCourse, { event_type, entity_id }: Event): Verdict<MissionCourse> {
  if (!DRAWS.has(event_type)) return accept(course);
  if (enforced('ids_drawn_once') && course.ids.includes(entity_id)) return refuse('id_repeated', { id: entity_id });
  return accept({ ...course, ids: [...course.ids.slice(1 - REMEMBERED_MAX), entity_id] });
}
