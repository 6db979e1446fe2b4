// Walks commits that git itself cannot read: it stops at the first one whose headers it does not like, and with it whoever
// asked for a ledger below. Slower than git, and asked only where git gave up. Judges nothing.
import { parentsOf } from '../../format/git/any-object.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';

type Read = (oids: readonly Oid[]) => AsyncIterable<GitObject>;

/** Back along first parents, from `head` on, up to a commit that `isEnd` answers true to, which is left out. */
export async function* rawHistory(
  read: Read,
  head: Oid,
  isEnd: (oid: Oid) => boolean,
): AsyncGenerator<GitObject, void, undefined> {
  for (let at: Oid | undefined = head; at !== undefined && !isEnd(at);) {
    let next: Oid | undefined;
    for await (const object of read([at])) {
      yield object;
      next = parentsOf(object)[0];
    }
    at = next;
  }
}

/** Commits from `tip` back along all parents, with those parents; nothing behind one that `isEnd` answers true to. */
export async function rawCommits(
  read: Read,
  tip: Oid,
  isEnd: (oid: Oid) => boolean = () => false,
): Promise<ReadonlyMap<Oid, readonly Oid[]>> {
  const found = new Map<Oid, readonly Oid[]>();
  for (let open = [tip]; open.length > 0;) {
    const next = new Set<Oid>();
    const ends = open.filter(isEnd);
    for (const oid of ends) found.set(oid, []);
    const asked = open.filter((oid) => !isEnd(oid));
    for await (const object of read(asked)) {
      const parents = parentsOf(object);
      found.set(object.oid, parents);
      for (const parent of parents) next.add(parent);
    }
    open = [...next].filter((oid) => !found.has(oid));
  }
  return found;
}

/** What is reachable from `tip` and not from `base`, with its parents. */
export async function rawBetween(read: Read, base: Oid, tip: Oid): Promise<ReadonlyMap<Oid, readonly Oid[]>> {
  const excluded = await rawCommits(read, base);
  const found = await rawCommits(read, tip, (oid) => excluded.has(oid));
  return new Map([...found].filter(([oid]) => !excluded.has(oid)));
}
