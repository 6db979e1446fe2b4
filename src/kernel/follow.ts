// What every rule over the course of a mission has in common: it sees the step that its event is about, nobody dates an
// event far back, and the time of those who keep it is remembered. What may follow its end the types say.
import type { Course, MissionCourse } from './course/course.ts';
import type { InCourse, InMission } from './course/in-course.ts';
import { atStep, withStep } from './course/steps.ts';
import { checkTime, timeAfter } from './course/when.ts';
import { PLACES, type Event } from './event.ts';
import { takeWord } from './ingress/evolve.ts';
import type { Member } from './roster/roster.ts';
import type { Beginning } from './rule.ts';
import type { MissionState } from './state.ts';
import type { Circumstances } from './transition.ts';
import { accept, refuse, type Verdict } from './verdict.ts';
import { enforced } from './enforced.ts';
import { REMEMBERED_MAX } from './limits.ts';

/** As the step sees it that the event names: what is about none, or about another mission's, is about nothing here. */
export function followStep(
  state: MissionState,
  event: Event,
  at: Circumstances,
  rule: (at: InCourse) => Verdict<Course>,
): Verdict<MissionState> {
  return follow(state, event, at, (whole) => {
    const course = atStep(whole.course, event.step_id);
    if (course?.step?.task !== event.task_id)
      return refuse('step_unknown', { step: event.step_id ?? 'none', task: event.task_id });
    const after = rule({ ...whole, course });
    return after.is === 'refused' ? after : accept(withStep(whole.course, after.value));
  });
}

export function follow(
  state: MissionState,
  event: Event,
  at: Circumstances,
  rule: (at: InMission) => Verdict<MissionCourse>,
): Verdict<MissionState> {
  const { course } = state;
  if (course === undefined) return refuse('nothing_proposed', { event_type: event.event_type });
  return beginOrRevise(state, event, at, (beginning) => rule({ ...beginning, course }));
}

/** The same where nothing may be proposed yet. */
export function beginOrRevise(
  state: MissionState,
  event: Event,
  at: Circumstances,
  rule: (at: Beginning) => Verdict<MissionCourse>,
): Verdict<MissionState> {
  const { course, ledger_id: mission, roster } = state;
  const time = course === undefined ? accept(undefined) : checkTime(course, event);
  if (time.is === 'refused') return time;
  const taken = takeWord(state, event, at.from);
  if (taken.is === 'refused') return taken;
  const signer = at.signer!;
  return withCourse(taken.value, event, signer, rule({ crypto: at.crypto, mission, course, roster, signer }));
}

function withCourse(
  state: MissionState,
  event: Event,
  signer: Member,
  course: Verdict<MissionCourse>,
): Verdict<MissionState> {
  if (course.is === 'refused') return course;
  const drawn = PLACES[event.event_type].draws ? withId(course.value, event.entity_id) : course;
  if (drawn.is === 'refused') return drawn;
  const as_of = timeAfter(course.value.as_of, event, signer);
  return accept({ ...state, course: { ...drawn.value, as_of } });
}

// Every id is drawn once: a second thing under the id of a first would let a receipt, a vote or a grant of one pass for
// that of the other. Remembers the last ids only; older ones stand in the history. Knows no types: which draw one they say.

/** The course with an id that was drawn. */
function withId(course: MissionCourse, id: string): Verdict<MissionCourse> {
  if (enforced('ids_drawn_once') && course.ids.includes(id)) return refuse('id_repeated', { id });
  return accept({ ...course, ids: [...course.ids.slice(1 - REMEMBERED_MAX), id] });
}
