// How a noun says what an event of its does: a rule over the course as one step sees it, over all steps, over a mission, over
// a project, or over a ledger of either kind. Holds no rule itself; `rules.ts` has the table of all of them.
import type { Course, MissionCourse } from './course/course.ts';
import type { InCourse, InMission } from './course/in-course.ts';
import type { Event, EventOf, EventType } from './event.ts';
import type { MissionState, ProjectState, State } from './state.ts';
import type { Circumstances } from './transition.ts';
import type { Verdict } from './verdict.ts';

/** Where nothing may be proposed yet. */
export type Beginning = Omit<InMission, 'course'> & { readonly course: MissionCourse | undefined };

type Over<Scope extends string, Given extends readonly unknown[], After> = {
  readonly over: Scope;
  readonly apply: (...given: Given) => Verdict<After>;
};

type OverState<Scope extends string, S extends State, E extends Event> = Over<Scope, [S, E, Circumstances], State>;

export type Rule<E extends Event> =
  | Over<'course', [InCourse, E], Course>
  | Over<'all steps', [InMission, E], MissionCourse>
  | Over<'beginning', [Beginning, E], MissionCourse>
  | OverState<'mission', MissionState, E>
  | OverState<'project', ProjectState, E>
  | OverState<'ledger', State, E>
  /** The first event of a ledger; nowhere else has it a rule. */
  | { readonly over: 'nothing' };

/** The rules of some event types, each under its own name. */
export type Rules<T extends EventType> = { readonly [K in T]: Rule<EventOf<K>> };

export function overCourse<E extends Event>(apply: Over<'course', [InCourse, E], Course>['apply']) {
  return { over: 'course', apply } as const;
}

export function overAllSteps<E extends Event>(apply: Over<'all steps', [InMission, E], MissionCourse>['apply']) {
  return { over: 'all steps', apply } as const;
}

export function overBeginning<E extends Event>(apply: Over<'beginning', [Beginning, E], MissionCourse>['apply']) {
  return { over: 'beginning', apply } as const;
}

export function overMission<E extends Event>(apply: OverState<'mission', MissionState, E>['apply']) {
  return { over: 'mission', apply } as const;
}

export function overProject<E extends Event>(apply: OverState<'project', ProjectState, E>['apply']) {
  return { over: 'project', apply } as const;
}

export function overLedger<E extends Event>(apply: OverState<'ledger', State, E>['apply']) {
  return { over: 'ledger', apply } as const;
}

export const OPENS_A_LEDGER = { over: 'nothing' } as const;
