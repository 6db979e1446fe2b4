// Which missions the schedule looks at: a reference for each, made in the change that opens it, and taken away once the
// schedule saw that it is over. So its work grows with what is open, and not with all that ever was. Pointers, no authority:
// what somebody takes away or adds changes what is looked at, and never what follows from it.
import { Failure } from '../../failure.ts';
import { missionName } from '../../kernel/values.ts';
import type { Oid } from '../../format/git/object.ts';
import { OPEN_REFS } from '../../ledger/names.ts';
import { projectState, type MissionWorld } from '../mission/world.ts';
import { bringTogether } from '../recent-heads.ts';
import { refsBelow } from '../refs-below.ts';
import type { Workbench } from '../workbench.ts';
import { refsOfName } from './before.ts';
import { deliveredPointers, deliveredRef } from './delivered-refs.ts';
import { pointerChange } from './pointers.ts';

/** Of a mission that is not there yet: it is created, and moves never. */
export function openPointer(mission: string, oid: Oid) {
  return { ref: OPEN_REFS + missionName(mission), old: undefined, next: oid };
}

/** Those that were approved are open by the registry as well, whoever took their pointers away. */
export async function openMissions(world: MissionWorld): Promise<readonly string[]> {
  const pointers = await openPointers(world.bench);
  const registered = Object.keys(projectState(world).missions).map(missionName);
  return [...new Set([...pointers.keys(), ...registered])].sort();
}

/**
 * All of them in one question and one answer: for each by itself the forge would be asked twice, and git started twice. What
 * cannot be had so is asked for when it is looked at, for one of them must not keep the others waiting.
 */
export async function bringOpen({ parts }: Workbench, open: readonly string[]): Promise<void> {
  if (open.length === 0) return;
  try {
    await bringTogether(parts, open.flatMap(refsOfName));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/**
 * Nothing waits for it: what cannot be taken away now is by the next look. `over`: with the pull request that people are to
 * look at, if there is one.
 */
export async function leaveOpen(bench: Workbench, over: ReadonlyMap<string, number | null>): Promise<void> {
  if (over.size === 0) return;
  try {
    const [pointers, delivered] = await Promise.all([openPointers(bench), deliveredPointers(bench)]);
    const left = [...pointers].filter(([name]) => over.has(name));
    const made = left.flatMap(([name]) => {
      const request = over.get(name) ?? null;
      const ref = request === null ? undefined : deliveredRef(request, name);
      return ref === undefined || delivered.has(ref) ? [] : [pointerChange(bench, { ref, old: undefined, text: name })];
    });
    const objects = [...new Map(made.flatMap((one) => one.objects).map((one) => [one.oid, one])).values()];
    const gone = left.map(([name, oid]) => ({ ref: OPEN_REFS + name, old: oid, next: undefined }));
    const updates = [...gone, ...made.flatMap((change) => change.updates)];
    if (updates.length > 0) await bench.place.move({ objects, updates });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** By name, and what each names. */
export async function openPointers(bench: Workbench): Promise<ReadonlyMap<string, Oid>> {
  const heads = await refsBelow(bench, OPEN_REFS);
  return new Map([...heads].map(([ref, oid]) => [ref.slice(OPEN_REFS.length), oid]));
}
