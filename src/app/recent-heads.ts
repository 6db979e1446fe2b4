// A remote that is not asked the same thing twice within moments: for a job that lives for seconds and looks at the same
// few references at every step. What moves them is still a compare-and-swap, so an old answer costs a race, never a write.
import type { Oid } from '../format/git/object.ts';
import type { Remote } from '../ports/remote.ts';
import { FETCHED_REFS, fetchedRef } from './place.ts';
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
  const forget = (refs: readonly { readonly ref: string }[]): void => {
    for (const { ref } of refs) known.delete(ref);
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
      const atMs = nowMs();
      const found = await remote.heads(refs);
      for (const ref of refs) if (!ref.includes('*')) known.set(ref, { oid: found.get(ref), atMs });
      return found;
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
