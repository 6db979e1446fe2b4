// Every id is drawn once: a second thing under the id of a first would let a receipt, a vote or a grant of one pass for
// that of the other. Remembers the last ids only; older ones stand in the history. Knows no types: which draw one they say.
import { enforced } from '../enforced.ts';
import { REMEMBERED_MAX } from '../limits.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { MissionCourse } from './course.ts';

/** The course with an id that was drawn. */
export function withId(course: MissionCourse, id: string): Verdict<MissionCourse> {
  if (enforced('ids_drawn_once') && course.ids.includes(id)) return refuse('id_repeated', { id });
  return accept({ ...course, ids: [...course.ids.slice(1 - REMEMBERED_MAX), id] });
}
