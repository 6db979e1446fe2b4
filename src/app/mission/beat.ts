// While an attempt runs on a forge: its supervisor leaves a beacon beside the ledgers once a minute, so that whoever comes by
// can tell a long run from a dead one. The first lands with the lease itself; none of them makes a lease last longer.
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import type { MissionState } from '../../kernel/state.ts';
import { BEACON, type Beacon } from '../../ledger/beacon.ts';
import { beaconRef } from '../../ledger/names.ts';
import type { Change } from '../../ports/repository.ts';
import { nothingSaid, saidAt, saidCommit } from '../said-commit.ts';
import type { UntilNextLook } from './lookout.ts';
import { instant, missionState, type Acting } from './world.ts';

type About = Pick<Beacon, 'attempt' | 'fence' | 'mission'>;

/** The change that takes the lease brings the first one along: a server that refuses beacons refuses the attempt. */
export function firstBeacon(acting: Acting, about: About): () => Promise<Change> {
  const ref = beaconRef(about.attempt);
  let isFirst = true;
  return async () => {
    // Nobody has one for an attempt that nobody began; whoever put something there all the same keeps nobody from it.
    const old = isFirst ? undefined : (await acting.world.bench.parts.remote!.heads([ref])).get(ref);
    isFirst = false;
    const { objects, next } = await signed(acting, { ...about, no: 1 });
    return { objects, updates: [{ ref, old, next }] };
  };
}

/**
 * Answers with what ends it, and leaves nothing behind when that returns. `isResumed`: an attempt that fell silent and is
 * taken up again is heard of at once, and goes on counting.
 */
export function keepBeating(
  acting: Acting,
  born: MissionState,
  { untilNext, isResumed = false }: { readonly untilNext: UntilNextLook; readonly isResumed?: boolean },
): () => Promise<void> {
  const over = new AbortController();
  const { remote } = acting.world.bench.parts;
  // In a repository of one's own a lock tells who lives, at once.
  if (remote === undefined) return () => Promise.resolve();
  const { attempt, fence } = courseOf(born)!;
  const about = { mission: born.ledger_id, attempt: attempt!.id, fence };
  const ref = beaconRef(about.attempt);
  const there = async (): Promise<Oid | undefined> => (await remote.heads([ref])).get(ref);

  /** False once the lease is somebody else's. */
  async function beat(no: number, from: { last: Oid | undefined }): Promise<boolean> {
    try {
      from.last ??= await there();
      // Taken away by whoever took the lease, or by anybody who can push: only the ledger tells.
      if (from.last === undefined && !(await isOurs(acting, fence))) return false;
      const { objects, next } = await signed(acting, { ...about, no });
      const outcome = await remote!.push({ objects, updates: [{ ref, old: from.last, next }] });
      from.last = outcome.is === 'landed' ? next : undefined;
    } catch (error) {
      // A forge that is away, or has no room: silence is then what it looks like, and the next one is tried.
      if (!(error instanceof Failure)) throw error;
      from.last = undefined;
    }
    return true;
  }

  const beating = (async () => {
    const from: { last: Oid | undefined } = { last: isResumed ? await there().catch(nothingSaid) : undefined };
    const first = from.last === undefined ? 2 : (await numberAt(acting, ref, from.last)) + 1;
    for (let no = first; ; no++) {
      if (!isResumed || no > first) await untilNext(over.signal);
      if (over.signal.aborted || !(await beat(no, from))) return;
    }
  })();
  // Told by whoever ends it.
  beating.catch(() => undefined);
  return async () => {
    over.abort();
    await beating;
  };
}

/** What none of us left there counts as the first. */
async function numberAt({ world }: Acting, ref: string, oid: Oid): Promise<number> {
  return (await saidAt(world.bench, BEACON, { ref, oid }).catch(nothingSaid))?.no ?? 1;
}

async function isOurs(acting: Acting, fence: number): Promise<boolean> {
  return courseOf(await missionState(acting))?.lease?.fence === fence;
}

function signed({ world, signer }: Acting, about: About & Pick<Beacon, 'no'>): ReturnType<typeof saidCommit> {
  return saidCommit(world.bench.parts, signer, BEACON, { ...about, at: instant(world) });
}
