// Holds a ledger to heads of it that the project vouches for: final ones of sealed and repaired ledgers, and those up to
// which a cut-off trusts a key. A fork below such a head, or a ledger that ends before it, is another history.
import type { Oid } from '../../format/git/object.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { chain } from './chain.ts';

/** What was walked: sizes from `from` on, with root and name of every head; `start` is the one it began at. */
export type WalkedHeads = {
  readonly start: { readonly size: number; readonly oid: Oid | undefined };
  readonly until: number;
  readonly heads: ReadonlyMap<number, { readonly root: string; readonly oid: Oid }>;
};

export async function checkRecorded(
  reader: RepositoryReader,
  recorded: readonly TreeHead[],
  { start, until, heads }: WalkedHeads,
): Promise<Refused | undefined> {
  for (const { size, root, oid } of recorded) {
    if (size > until) return refuse('rollback_detected', { recorded_size: size, size: until });
    const found = heads.get(size);
    const isOurs =
      size > start.size ? found?.oid === oid && found.root === root : await isBelow(reader, oid, start.oid);
    if (!isOurs) return refuse('fork_detected', { recorded_size: size, recorded: oid, found: found?.oid ?? null });
  }
  return undefined;
}

/** What lies before the start was verified once, so that a commit's name on the way says its size and root as well. */
async function isBelow(reader: RepositoryReader, oid: Oid, start: Oid | undefined): Promise<boolean> {
  if (start === undefined) return false;
  const [first] = await chain(reader, start, (object) => object.oid === oid);
  return first?.object.oid === oid;
}
