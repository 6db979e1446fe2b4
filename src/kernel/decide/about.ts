// What the drafts of one decision share: the names they draw, and the task, step and attempt they are about.
import type { EventDraft } from '../draft.ts';
import { ENTITY_TYPES, type EventOf, type EventType } from '../event.ts';
import { isOver } from '../course/attempt-status.ts';
import type { Course, MissionCourse } from '../course/course.ts';
import { courseOf } from '../course/steps.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** A fresh id for a word; the same word gives the same id, so that a decision made again writes the same bytes. */
export type Names = (what: string) => string;

export type InAttempt = { readonly task: string; readonly step: string; readonly attempt: string };
export type UnderWay = InAttempt & { readonly mission: string; readonly course: Course };

export type Drafts = readonly EventDraft[];

/** The mission with an attempt at hand, over or not. */
export function underWay(state: MissionState | undefined): Verdict<UnderWay> {
  if (state === undefined) return refuse('ledger_not_opened');
  const { ledger_id: mission } = state;
  const course = courseOf(state);
  if (course === undefined || course.step === null || course.attempt === null)
    return refuse('nothing_proposed', { mission });
  if (course.end !== null) return refuse('mission_over', { mission, outcome: course.end.outcome });
  return accept({ mission, course, task: course.step.task, step: course.step.id, attempt: course.attempt.id });
}

/** Something came of the attempt at hand: it is finished or comes to nothing, and nothing else is proposed or planned meanwhile. */
export function checkUnbegun(course: MissionCourse | undefined, mission: string): Verdict<undefined> {
  const attempts = Object.values(course?.steps ?? {}).map(({ attempt }) => attempt);
  const isBegun = attempts.some((one) => one !== null && one.births > 0 && !isOver(one.status));
  return isBegun ? refuse('mission_under_way', { mission }) : accept(undefined);
}

/** A fact about a mission as a whole, or about a task. */
export function within<Type extends EventType>(
  event_type: Type,
  entity_id: string,
  task_id: string,
  payload: EventOf<Type>['payload'],
): EventDraft<Type> {
  // The union of drafts mirrors the union of events; type by type it is this.
  return { event_type, entity_type: ENTITY_TYPES[event_type], entity_id, task_id, payload } as EventDraft<Type>;
}

export function inAttempt<Type extends EventType>(
  event_type: Type,
  entity_id: string,
  at: InAttempt,
  payload: EventOf<Type>['payload'],
): EventDraft<Type> {
  return { ...within(event_type, entity_id, at.task, payload), step_id: at.step, attempt_id: at.attempt };
}
