// Missions that people agreed to and that wait for a path of another one: which one that is, and who can go on once paths are
// free. Found in the project's registry, so that it costs nothing where nobody waits. Grants nothing and starts none.
import { Failure } from '../../failure.ts';
import { overlappingClaim } from '../../kernel/project/claims.ts';
import { pathsOf } from '../../kernel/course/plan.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { dueNow, missionState, projectState, type Looking, type MissionWorld } from './world.ts';

type Registry = ProjectState['missions'];

/** The mission that holds a path which this one needs to begin, by name. */
export function pathHolder(world: MissionWorld, state: MissionState): string | null {
  if (dueNow(world, state).is !== 'grant') return null;
  return holderOf(projectState(world).missions, state, []) ?? null;
}

/** Named at a time: more machines are rarely idle, and whoever is left over is named by who comes next. */
export const NAMED_MAX = 5;
/** Each is verified for it. */
const LOOKED_AT_MAX = 20;

/**
 * Missions that can go on because paths are free that were not `before`, whoever was asked first in front: none of them
 * keeps another one of them waiting. Null: paths were let go by somebody else, who woke nobody.
 */
export async function freedFor(
  world: MissionWorld,
  before: Registry | null,
  look: (mission: string) => Promise<Looking>,
): Promise<readonly string[]> {
  const { missions } = projectState(world);
  if (before !== null && !isAnyFreed(before, missions)) return [];
  const names = Object.entries(missions).flatMap(([id, { claims }]) => (claims.length === 0 ? [missionName(id)] : []));
  const waiting: MissionState[] = [];
  for (const name of names.slice(0, LOOKED_AT_MAX)) {
    const state = await stateOf(look, name);
    if (state !== undefined && dueNow(world, state).is === 'grant') waiting.push(state);
  }
  const chosen: MissionState[] = [];
  for (const one of waiting.toSorted((a, b) => (askedAt(a) < askedAt(b) ? -1 : 1)))
    if (holderOf(missions, one, chosen) === undefined) chosen.push(one);
  return chosen.slice(0, NAMED_MAX).map((one) => missionName(one.ledger_id));
}

function isAnyFreed(before: Registry, now: Registry): boolean {
  if (before === now) return false;
  return Object.entries(before).some(
    ([id, { claims }]) => claims.length > 0 && now[id]?.claims.join('\n') !== claims.join('\n'),
  );
}

/** One that cannot be read must not keep others waiting: anybody who may push can make one. */
async function stateOf(look: (mission: string) => Promise<Looking>, name: string): Promise<MissionState | undefined> {
  try {
    return await missionState(await look(name));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

/** `chosen`: as good as holders, once they begin. */
function holderOf(
  missions: Registry,
  { ledger_id: own, course }: MissionState,
  chosen: readonly MissionState[],
): string | undefined {
  const wanted = course?.plan ? pathsOf(course.plan) : [];
  const holding: (readonly [string, readonly string[]])[] = [
    ...Object.entries(missions).map(([id, { claims }]) => [id, claims] as const),
    ...chosen.map((one) => [one.ledger_id, pathsOf(one.course!.plan!)] as const),
  ];
  const [holder] = holding.find(([id, claims]) => id !== own && overlappingClaim(claims, wanted) !== undefined) ?? [];
  return holder === undefined ? undefined : missionName(holder);
}

/** All votes on plans are open for as long: whose end first was asked first. */
function askedAt({ course }: MissionState): string {
  return Object.values(course?.approvals ?? {})[0]?.expires_at ?? '';
}
