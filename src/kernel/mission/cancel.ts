// Calling a mission off: by whoever asked for it or by a person, up to the first intent. From then on nothing new begins in
// it; what was begun is seen, receipted, closed and let go, and then it ends. Knows no cell: who runs one looks for the word.
import type { MissionCourse, Step } from '../course/course.ts';
import type { InMission } from '../course/in-course.ts';
import type { EventOf } from '../event.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { checkConcerned } from './concerned.ts';

export function cancelMission(at: InMission, event: EventOf<'mission.cancelled'>): Verdict<MissionCourse> {
  const { course, mission } = at;
  const { forge } = event.payload;
  if (course.cancelled !== null) return refuse('mission_cancelled', { mission, by: course.cancelled.by });
  const speaker = checkConcerned(at, event);
  if (speaker.is === 'refused') return speaker;
  const stoppable = checkStoppable(at, 'cancelled');
  if (stoppable.is === 'refused') return stoppable;
  return accept({
    ...course,
    held: null,
    cancelled: { by: event.actor_id, at: event.occurred_at, account: forge?.user_id ?? null },
  });
}

/** What reached the world, or may have: that is finished or settled, and neither called off nor held. */
export function checkStoppable({ course, mission }: InMission, outcome: string): Verdict<undefined> {
  const steps = Object.values(course.steps);
  if (steps.length > 0 && steps.every(({ attempt }) => attempt?.status === 'succeeded'))
    return refuse('mission_succeeded', { mission, outcome });
  return steps.some(isEffectBegun) ? refuse('effects_begun', { mission }) : accept(undefined);
}

function isEffectBegun({ attempt, effects }: Step): boolean {
  if (Object.keys(effects).length > 0 || (attempt?.applied.length ?? 0) > 0) return true;
  return attempt?.planned?.effects.some(({ intent }) => intent !== null) === true;
}
