// Work that was refused or failed, kept for whoever wants to see what the agent did: a reference beside the ledgers, named by
// the day on which its time is over, and found again by the commit that the ledger or one of its documents names. Nothing
// rests on it: where it could not be kept, the mission goes on without it.
import type { GitObject, Oid } from '../../format/git/object.ts';
import { Failure, failureIn } from '../../failure.ts';
import { incomingRef, KEPT_REFS, keptRef, readKeptRef } from '../../ledger/names.ts';
import type { Work } from '../../ports/cells.ts';
import type { Change } from '../../ports/repository.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { refsBelow } from '../refs-below.ts';
import type { Workbench } from '../workbench.ts';
import { DAY_SECONDS } from '../../kernel/time.ts';

/** Together; the forge holds it for people who may never look. */
const KEPT_BYTES_MAX = 16 << 20;

export type Keeping = {
  readonly bench: Workbench;
  readonly repositories: WorkRepositories;
  readonly attempt: string;
  /** Null: policy keeps nothing. */
  readonly until: string | null;
};

/** The last day on which it can be had, as policy says. */
export function keptUntil({ parts }: Workbench, days: number): string | null {
  if (days === 0) return null;
  return dayOf(parts.clock.nowSeconds() + days * DAY_SECONDS);
}

/** Whether it is there now. Its secrets were searched for when it was taken out of its cell: such work never gets here. */
export async function keepWork({ bench, repositories, attempt, until }: Keeping, work: Work): Promise<boolean> {
  if (until === null) return false;
  try {
    const change = await keptChange(repositories, { attempt, until }, work);
    return change !== undefined && (await bench.place.move(change)).is === 'landed';
  } catch (error) {
    // A server that refuses it, a disk that is full: the failure itself is the news.
    if (failureIn(error) !== undefined) return false;
    throw error;
  }
}

/** What keeps it until then; undefined where it is too large. */
export async function keptChange(
  repositories: WorkRepositories,
  { attempt, until }: { readonly attempt: string; readonly until: string },
  work: Work,
): Promise<Change | undefined> {
  const objects = await repositories.objectsOf(work.repository, work.base, work.commit);
  if (bytesOf(objects) > KEPT_BYTES_MAX) return undefined;
  return { objects, updates: [{ ref: keptRef(until, attempt), old: undefined, next: work.commit }] };
}

function bytesOf(objects: readonly GitObject[]): number {
  return objects.reduce((sum, { body }) => sum + body.length, 0);
}

/** Takes away whatever has had its time; of a reference that no one of us named nothing is known, and it stays. */
export async function sweepKept(bench: Workbench): Promise<void> {
  const today = dayOf(bench.parts.clock.nowSeconds());
  try {
    const over = (await keptRefs(bench)).filter(({ ref }) => (readKeptRef(ref)?.until ?? today) < today);
    if (over.length === 0) return;
    const updates = over.map(({ ref, oid }) => ({ ref, old: oid, next: undefined }));
    await bench.place.move({ objects: [], updates });
  } catch (error) {
    // The next one sweeps again; no mission waits for it.
    if (!(error instanceof Failure)) throw error;
  }
}

/** Brings the commit here from wherever the place has it: kept, handed over, or delivered. False where it is nowhere. */
export async function bringWork(
  bench: Workbench,
  { attempt, branch, commit }: { readonly attempt: string; readonly branch: string; readonly commit: Oid },
): Promise<boolean> {
  const isHere = async (): Promise<boolean> => (await bench.parts.repository.sizes([commit]))[0] !== undefined;
  if (await isHere()) return true;
  const kept = (await keptRefs(bench)).filter(
    ({ ref, oid }) => oid === commit && readKeptRef(ref)?.attempt === attempt,
  );
  for (const ref of [...kept.map((one) => one.ref), incomingRef(attempt), `refs/heads/${branch}`]) {
    await bench.place.head(ref);
    if (await isHere()) return true;
  }
  return false;
}

export async function keptRefs(bench: Workbench): Promise<readonly { readonly ref: string; readonly oid: Oid }[]> {
  return Array.from(await refsBelow(bench, KEPT_REFS), ([ref, oid]) => ({ ref, oid }));
}

/** Whether this day is not over. */
export function isOnTime({ parts }: Workbench, until: string): boolean {
  return dayOf(parts.clock.nowSeconds()) <= until;
}

const DATE_CHARACTERS = '2026-12-03'.length;

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, DATE_CHARACTERS);
}
