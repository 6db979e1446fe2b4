// What a mission may begin only while the project holds its paths for it: running its agent, and causing its effects. Two
// missions that both run on one path are kept apart by nothing else. Knows no history; who has one says what was claimed.
import { pathsOf } from './course/plan.ts';
import type { Event } from './event.ts';
import type { MissionState } from './state.ts';
import { needsPaths } from './stops.ts';
import { refuse, type Refused } from './verdict.ts';

/** `claims`: those of the mission at the project head that the event was decided under. */
export function checkClaimed(
  event: Event,
  { course, ledger_id }: Pick<MissionState, 'course' | 'ledger_id'>,
  claims: readonly string[] | undefined,
): Refused | undefined {
  if (!needsPaths(event)) return undefined;
  const plan = course?.plan ?? null;
  const isClaimed = claims !== undefined && plan !== null && claims.join('\n') === pathsOf(plan).join('\n');
  return isClaimed ? undefined : refuse('claims_missing', { mission: ledger_id, claims: claims ?? null });
}
