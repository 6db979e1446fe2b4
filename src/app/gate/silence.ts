// Which attempts nobody hears of any more: by the beacons beside the ledgers, looked at twice, with more than one beacon's
// time in between. A clock that is behind makes nobody dead: whoever lives has moved its beacon when it is looked at again.
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import { SILENCE_SECONDS } from '../../kernel/lease/events.ts';
import type { MissionState } from '../../kernel/state.ts';
import { secondsBetween } from '../../kernel/time.ts';
import { BEACON, type Beacon } from '../../ledger/beacon.ts';
import { BEACON_REFS, beaconRef } from '../../ledger/names.ts';
import { saidBytes, signerOf } from '../../ledger/said.ts';
import { saidAt } from '../said-commit.ts';
import { instant, type MissionWorld } from '../mission/world.ts';
import type { Workbench } from '../workbench.ts';
import { refsBelow } from '../refs-below.ts';

/** A beacon comes every minute; a little more for the way. */
const WATCH_SECONDS = 65;
/** Waits until whoever lives has sent the next beacon. */
export type Watch = (seconds: number) => Promise<void>;

export type Heads = ReadonlyMap<string, Oid>;
type Quiet = { readonly mission: string; readonly oid: Oid; readonly beacon: Beacon };

export function beaconHeads(bench: Workbench): Promise<Heads> {
  return refsBelow(bench, BEACON_REFS);
}

/** `busy`: what runs, by the name of its mission. */
export async function silentAmong(
  world: MissionWorld,
  { busy, heads, watch }: { readonly busy: Busy; readonly heads: Heads; readonly watch: Watch },
): Promise<ReadonlyMap<string, Silent>> {
  const quiet: Quiet[] = [];
  for (const [mission, state] of busy) {
    const oid = heads.get(beaconRef(courseOf(state)!.attempt!.id));
    const beacon = oid === undefined ? undefined : await lastHeard(world, state, oid);
    // Long enough that after the watch it is silence.
    if (beacon !== undefined && secondsSince(world, beacon) >= SILENCE_SECONDS - WATCH_SECONDS)
      quiet.push({ mission, oid: oid!, beacon });
  }
  if (quiet.length === 0) return new Map();
  await watch(WATCH_SECONDS);
  const now = await beaconHeads(world.bench);
  const silent = quiet.filter(
    ({ oid, beacon }) => now.get(beaconRef(beacon.attempt)) === oid && secondsSince(world, beacon) >= SILENCE_SECONDS,
  );
  return new Map(silent.map(({ mission, beacon }) => [mission, vouched(world, beacon)]));
}

export type Busy = ReadonlyMap<string, MissionState>;

/** Of the lease at hand, by its holder. What else lies there says nothing: then the lease's own time is the limit. */
async function lastHeard(world: MissionWorld, state: MissionState, oid: Oid): Promise<Beacon | undefined> {
  const { bench, project } = world;
  const { attempt, lease } = courseOf(state)!;
  const ref = beaconRef(attempt!.id);
  try {
    const beacon = await saidAt(bench, BEACON, { ref, oid });
    if (beacon === undefined || beacon.mission !== state.ledger_id || beacon.attempt !== attempt!.id) return undefined;
    const isTheirs = signerOf(bench.parts.crypto, project.tip, BEACON, beacon) === lease!.holder;
    return isTheirs && beacon.fence === lease!.fence && beacon.at >= lease!.acquired_at ? beacon : undefined;
  } catch (error) {
    // Moved on in this very moment, or nothing that can be read.
    if (error instanceof Failure && error.retry !== 'later') return undefined;
    throw error;
  }
}

function secondsSince(world: MissionWorld, { at }: Beacon): number {
  return secondsBetween(at, instant(world));
}

function vouched(world: MissionWorld, beacon: Beacon): Silent {
  const { at, fence, no } = beacon;
  const digest = `sha256:${world.bench.parts.crypto.hashHex('sha256', saidBytes(beacon))}`;
  return { fence, silence: { beacon: { at, digest, no }, seconds: secondsSince(world, beacon) } };
}

/** Takes away those of attempts that no longer run; whoever lives after all puts its own back. */
export async function sweepBeacons({ bench }: MissionWorld, heads: Heads, busy: Busy): Promise<void> {
  const running = new Set([...busy.values()].map((state) => beaconRef(courseOf(state)!.attempt!.id)));
  const over = [...heads].filter(([ref]) => !running.has(ref));
  if (over.length === 0) return;
  try {
    await bench.place.move({ objects: [], updates: over.map(([ref, old]) => ({ ref, old, next: undefined })) });
  } catch (error) {
    // The next one sweeps again.
    if (!(error instanceof Failure)) throw error;
  }
}
