// A remote that is not asked the same thing twice within moments: for a job that lives for seconds and looks at the same
// few references at every step, or from two places at once. What moves them is still a compare-and-swap, so an old answer
// costs a race, never a write.
import type { Oid } from '../format/git/object.ts';
import type { Remote } from '../ports/remote.ts';
import { FETCHED_REFS, fetchedRef } from '../ledger/names.ts';
import type { WorkbenchParts } from './workbench.ts';

/** Leases last minutes: who holds one is told early enough. */
const RECENT_MS = 5_000;

export type Recent = {
  readonly nowMs: () => number;
  /** Told how long each push took. */
  readonly onPush: (tookMs: number) => void;
};

export function withRecentHeads(remote: Remote, { nowMs, onPush }: Recent): Remote {
  const known = new Map<string, { readonly oid: Oid | undefined; readonly atMs: number }>();
  /** What was asked before a push says nothing of what is there after it. */
  let onTheWay = new Map<string, Promise<unknown>>();
  const forget = (refs: readonly { readonly ref: string }[]): void => {
    for (const { ref } of refs) known.delete(ref);
    onTheWay = new Map();
  };
  /** Whoever asks the same while nobody has an answer gets the one that is on its way. */
  const together = <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    const asked = onTheWay.get(question) as Promise<T> | undefined;
    if (asked !== undefined) return asked;
    const since = onTheWay;
    const asking = ask().finally(() => since.delete(question));
    since.set(question, asking);
    return asking;
  };
  const ask = async (refs: readonly string[]): Promise<ReadonlyMap<string, Oid>> => {
    const [atMs, since] = [nowMs(), onTheWay];
    const found = await remote.heads(refs);
    if (since === onTheWay) for (const ref of refs) if (!isPattern(ref)) known.set(ref, { oid: found.get(ref), atMs });
    return found;
  };
  return {
    ...remote,
    async heads(refs) {
      const isKnown = (ref: string): boolean => {
        const found = known.get(ref);
        return found !== undefined && nowMs() - found.atMs < RECENT_MS;
      };
      if (refs.every(isKnown))
        return new Map(refs.flatMap((ref) => (known.get(ref)!.oid === undefined ? [] : [[ref, known.get(ref)!.oid!]])));
      return refs.some(isPattern) ? ask(refs) : together(`heads ${refs.join(' ')}`, () => ask(refs));
    },
    async fetch(refs, into, heads) {
      const wanted = refs.map((ref) => `${ref} ${heads?.get(ref) ?? ''}`);
      return together(`fetch ${into} ${wanted.join(' ')}`, () => remote.fetch(refs, into, heads));
    },
    async push(change) {
      forget(change.updates);
      const beganMs = nowMs();
      const outcome = await remote.push(change);
      const atMs = nowMs();
      onPush(atMs - beganMs);
      if (outcome.is === 'landed') for (const { ref, next } of change.updates) known.set(ref, { oid: next, atMs });
      return outcome;
    },
    async pushStored(updates) {
      forget(updates);
      return remote.pushStored(updates);
    },
  };
}

/** What it names may have become more. */
function isPattern(ref: string): boolean {
  return ref.includes('*');
}

/** Brings what is there of these references in one question and one answer, beside our own. */
export async function bringTogether(
  { remote, repository }: Pick<WorkbenchParts, 'remote' | 'repository'>,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Oid>> {
  if (remote === undefined) return new Map();
  const heads = await remote.heads(refs);
  const missing: string[] = [];
  for (const [ref, oid] of heads) if ((await repository.resolve(fetchedRef(ref))) !== oid) missing.push(ref);
  if (missing.length === 0) return heads;
  await remote.fetch(missing, FETCHED_REFS, heads);
  return remote.heads(refs);
}
