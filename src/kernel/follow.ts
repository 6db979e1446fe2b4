// What every rule over the course of a mission has in common: nobody dates an event far back, and the time of those who
// keep it is remembered. What may follow its end is in mission/aftercare.ts.
import type { Course } from './course/course.ts';
import { withItsId } from './course/ids.ts';
import type { InCourse } from './course/in-course.ts';
import { checkTime, timeAfter } from './course/when.ts';
import type { Event } from './event.ts';
import { takeWord } from './ingress/evolve.ts';
import type { Member } from './roster/roster.ts';
import type { Beginning } from './rule.ts';
import type { MissionState } from './state.ts';
import type { Circumstances } from './transition.ts';
import { accept, refuse, type Verdict } from './verdict.ts';

export function follow(
  state: MissionState,
  event: Event,
  at: Circumstances,
  rule: (at: InCourse) => Verdict<Course>,
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
  rule: (at: Beginning) => Verdict<Course>,
): Verdict<MissionState> {
  const { course, ledger_id: mission, roster } = state;
  const time = course === undefined ? accept(undefined) : checkTime(course, event);
  if (time.is === 'refused') return time;
  const taken = takeWord(state, event, at.from);
  if (taken.is === 'refused') return taken;
  const signer = at.signer!;
  return withCourse(taken.value, event, signer, rule({ crypto: at.crypto, mission, course, roster, signer }));
}

function withCourse(state: MissionState, event: Event, signer: Member, course: Verdict<Course>): Verdict<MissionState> {
  if (course.is === 'refused') return course;
  const drawn = withItsId(course.value, event);
  if (drawn.is === 'refused') return drawn;
  const as_of = timeAfter(course.value.as_of, event, signer);
  return accept({ ...state, course: { ...drawn.value, as_of } });
}
