// Whether a mission needs the paths that the project holds for it. Knows no project: which paths those are it is told.
import type { MissionState } from '../state.ts';
import { isUnderWay } from './evolve-course.ts';
import type { MissionCourse } from '../course/course.ts';
import { pathsOf } from '../course/plan.ts';

/** From the grant to run until the end. A revision asks for other paths, and needs the former ones no more. */
export function needsClaims({ course }: Pick<MissionState, 'course'>, claims: readonly string[]): boolean {
  if (course === undefined || course.end !== null || course.plan === null) return false;
  const isClaimed = pathsOf(course.plan).join('\n') === claims.join('\n');
  return isClaimed && (isToRun(course) || isUnderWay(course));
}

/** Agreed to, and not granted: another mission had a path then, or somebody held this one. */
export function isToBeGranted(course: Pick<MissionCourse, 'steps'>): boolean {
  return !isToRun(course) && Object.values(course.steps).some(({ attempt }) => attempt?.status === 'authorized');
}

/** Granted and about to run. */
export function isToRun({ steps }: Pick<MissionCourse, 'steps'>): boolean {
  return Object.values(steps).some(({ grants }) =>
    Object.values(grants).some(({ action_class }) => action_class === 'execute_command'),
  );
}
