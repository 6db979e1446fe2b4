// One step of a mission's course at a time: rules, decisions and pages see the course as one step does, and what they make of
// it goes back to where it belongs. Knows no rule; whether a mission may have more than one step is for its plan to say.
import type { MissionState } from '../state.ts';
import type { Course, MissionCourse, Step } from './course.ts';

const NOTHING_OWN: Omit<Step, 'id' | 'task' | 'place' | 'max_attempts'> = {
  attempt: null,
  requests: {},
  grants: {},
  lease: null,
  cells: {},
  runs: {},
  effects: {},
  caused: [],
};

export function newStep(identity: Pick<Step, 'id' | 'task' | 'place' | 'max_attempts'>): Step {
  return { ...identity, ...NOTHING_OWN };
}

/** The course as this step sees it; undefined where there is no such step. */
export function atStep({ steps, ...shared }: MissionCourse, id: string | undefined): Course | undefined {
  const found = id === undefined ? undefined : steps[id];
  if (found === undefined) return undefined;
  const { id: _, task, place, max_attempts, ...own } = found;
  return { ...shared, ...own, step: { id: found.id, task, place, max_attempts } };
}

/** The course with what a step made of it. */
export function withStep({ steps }: MissionCourse, seen: Course): MissionCourse {
  const { step, attempt, requests, grants, lease, cells, runs, effects, caused, ...shared } = seen;
  if (step === null) return { ...shared, steps };
  const own = { attempt, requests, grants, lease, cells, runs, effects, caused };
  return { ...shared, steps: { ...steps, [step.id]: { ...step, ...own } } };
}

/** For whoever acts for a mission or shows it: the one step it has, or nothing of its own where it has none yet. */
export function theStep(course: MissionCourse): Course {
  const { steps, ...shared } = course;
  const [only] = Object.keys(steps);
  return atStep(course, only) ?? { ...shared, ...NOTHING_OWN, step: null };
}

/** The same of a mission; undefined until something is proposed. */
export function courseOf({ course }: Pick<MissionState, 'course'>): Course | undefined {
  return course === undefined ? undefined : theStep(course);
}

export function everyStep(course: MissionCourse, change: (step: Step) => Step): MissionCourse {
  const steps = Object.entries(course.steps).map(([id, step]) => [id, change(step)] as const);
  return { ...course, steps: Object.fromEntries(steps) };
}
