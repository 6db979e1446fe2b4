// Work that came too late: another attempt had begun, or its lease was over. It is kept like work that failed, and where the
// ledger does not name it, its runner says by its signature which commit it was. That is its word alone: nobody judged the work,
// nothing rests on it, and whoever shows it says so.
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { LATE_WORK } from '../../ledger/late-work.ts';
import { lateRef, readKeptRef } from '../../ledger/names.ts';
import { signerOf } from '../../ledger/said.ts';
import type { Work } from '../../ports/cells.ts';
import type { Change } from '../../ports/repository.ts';
import { nothingSaid, saidAt, saidCommit } from '../said-commit.ts';
import { isOnTime, keptChange, keptRefs } from './kept.ts';
import type { Running } from './run.ts';
import type { ToldAttempt } from './told-attempts.ts';
import { instant, type Acting, type MissionWorld } from './world.ts';

type Late = {
  readonly mission: string;
  readonly attempt: string;
  readonly fence: number;
  readonly work: Work;
  /** The last day on which it can be had. */
  readonly until: string | null;
};

/** False where policy keeps nothing, its day is over, or it is too large. Throws where the forge is away or refuses it. */
export async function keepLate(acting: Acting, { repositories }: Running, late: Late): Promise<boolean> {
  const { bench } = acting.world;
  const { attempt, work, until } = late;
  if (until === null || !isOnTime(bench, until)) return false;
  const kept = await keptChange(repositories, { attempt, until }, work);
  if (kept === undefined) return false;
  const there = await keptRefs(bench);
  // By a job that was killed before it could say so here.
  if (there.some(({ ref, oid }) => ref === kept.updates[0]!.ref && oid === work.commit)) return true;
  const isNamed = (await acting.desk.told()).attempts.some((one) => one.id === attempt && one.work === work.commit);
  const said = isNamed ? NOTHING_SAID : await saidOf(acting, late, until);
  const moved = await bench.place.move({
    objects: [...kept.objects, ...said.objects],
    updates: [...kept.updates, ...said.updates],
  });
  if (moved.is !== 'landed') throw new Failure('push_rejected', { ref: kept.updates[0]!.ref, outcome: moved.is });
  return true;
}

const NOTHING_SAID: Change = { objects: [], updates: [] };

async function saidOf(
  { world, signer }: Acting,
  { mission, attempt, fence, work }: Late,
  until: string,
): Promise<Change> {
  const said = { at: instant(world), attempt, base: work.base, commit: work.commit, fence, mission };
  const { objects, next } = await saidCommit(world.bench.parts, signer, LATE_WORK, said);
  return { objects, updates: [{ ref: lateRef(until, attempt), old: undefined, next }] };
}

export type FoundLate = { readonly no: number; readonly commit: Oid; readonly until: string; readonly by: string };

/**
 * Of attempts whose runner was given up: what that very runner says it had, for the base and under the lease that the ledger
 * names. Anybody who can push may put something else there, and it is passed over.
 */
export async function lateWorkOf(
  { bench, project }: Pick<MissionWorld, 'bench' | 'project'>,
  mission: string,
  attempts: readonly ToldAttempt[],
): Promise<readonly FoundLate[]> {
  const lost = attempts.filter(({ work, agent }) => work === null && agent?.because === 'runner_lost');
  if (lost.length === 0) return [];
  const refs = await keptRefs(bench);
  const found = await Promise.all(
    lost.map(async (attempt) => {
      const mine = refs.flatMap(({ ref, oid }) => {
        const read = readKeptRef(ref);
        return read?.isLate === true && read.attempt === attempt.id ? [{ ref, oid, until: read.until }] : [];
      });
      for (const one of mine.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))) {
        const late = await saidAt(bench, LATE_WORK, one).catch(nothingSaid);
        if (late === undefined || late.mission !== mission || late.attempt !== attempt.id) continue;
        if (late.base !== attempt.base || late.fence !== attempt.lease?.fence) continue;
        const by = signerOf(bench.parts.crypto, project.tip, LATE_WORK, late);
        if (by === undefined || by !== attempt.lease.holder) continue;
        return [{ no: attempt.no, commit: late.commit, until: one.until, by }];
      }
      return [];
    }),
  );
  return found.flat();
}
