// Where a verifier gets the event blobs of a commit from. Fast: one listing of the newest tree, read as one stream in
// order. Sure: the commit's own tree, asked for when the fast answer did not verify, because a later commit may have
// altered what the newest tree shows, and then that later commit is the culprit.
import type { GitObject, Oid } from '../../format/git/object.ts';
import { eventFile, fanName, FILES, hotDirectory, segmentName, segmentOf } from '../../ledger/names.ts';
import { entriesOf, type Entry } from '../../format/git/any-object.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { isDamage } from './damage.ts';

export class EventSource {
  readonly #reader: RepositoryReader;
  /** From `#from` on. */
  readonly #oids: readonly (Oid | undefined)[];
  readonly #from: number;
  #stream: AsyncIterator<GitObject> | undefined;
  #at: number;

  private constructor(reader: RepositoryReader, oids: readonly (Oid | undefined)[], from: number) {
    this.#reader = reader;
    this.#oids = oids;
    this.#from = from;
    this.#at = from;
  }

  /** Lists the events [from, until) of a tree that claims to hold `until`, to be read in order. */
  static async open(reader: RepositoryReader, tree: Oid, from: number, until: number): Promise<EventSource> {
    const oids: (Oid | undefined)[] = [];
    try {
      await nameEvents(oids, reader, tree, { from, until });
    } catch (error) {
      // The newest commit's own fault, to be named when its turn comes.
      if (!isDamage(error)) throw error;
    }
    return new EventSource(reader, oids, from);
  }

  /** The blobs of [from, until), or undefined where this source cannot tell. */
  async next(from: number, until: number): Promise<Uint8Array[] | undefined> {
    if (from !== this.#at) return undefined;
    const wanted = this.#oids.slice(from - this.#from, until - this.#from);
    if (wanted.length !== until - from || wanted.includes(undefined)) return undefined;
    this.#stream ??= this.#reader.read(knownRun(this.#oids, from - this.#from))[Symbol.asyncIterator]();
    const blobs: Uint8Array[] = [];
    try {
      while (blobs.length < wanted.length) {
        const { value, done } = await this.#stream.next();
        if (done === true) return undefined;
        blobs.push(value.body);
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      return undefined;
    }
    this.#at = until;
    return blobs;
  }

  async close(): Promise<void> {
    await this.#stream?.return?.();
  }
}

/**
 * The blobs of [from, until) as a commit's own tree has them; fewer when some are not named there, or when what should be a
 * tree is none. Goes by the objects themselves: git stops at trees that it cannot read. Throws `object_missing` for what is
 * named and not here.
 */
export async function readFromTree(
  reader: RepositoryReader,
  tree: Oid,
  from: number,
  until: number,
): Promise<Uint8Array[]> {
  const oids: (Oid | undefined)[] = [];
  await nameEvents(oids, reader, tree, { from, until });
  const blobs: Uint8Array[] = [];
  for await (const object of reader.read(knownRun(oids, 0))) blobs.push(object.body);
  return blobs;
}

/**
 * Puts the names that a tree has for the events [from, until) into `oids`, the first of them at 0. The trees themselves are
 * read, sooner than a process that lists them has started. Goes by what is there: a size is only claimed.
 */
async function nameEvents(
  oids: (Oid | undefined)[],
  reader: RepositoryReader,
  tree: Oid,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  const first = segmentOf(from);
  const last = segmentOf(until - 1);
  const top = await entriesIn(reader, tree);
  const folders = segmentsIn(top, hotDirectory);
  for (const [fan, folder] of await entriesIn(reader, top.get(FILES.segments)))
    if (fanName(first) <= fan && fan <= fanName(last)) {
      const filed = segmentsIn(await entriesIn(reader, folder), segmentName);
      folders.push(...filed.filter(({ segment }) => fanName(segment) === fan));
    }
  const wanted = folders.filter(({ segment }) => first <= segment && segment <= last);
  let next = 0;
  for await (const object of reader.read(wanted.map(({ oid }) => oid))) {
    const { segment } = wanted[next++]!;
    for (const { name, oid } of readableIn(object)) {
      const index = Number(name.slice(0, -'.json'.length));
      if (index >= from && index < until && segmentOf(index) === segment && eventFile(index) === name)
        oids[index - from] = oid;
    }
  }
}

type Folder = { readonly segment: number; readonly oid: Oid };

function segmentsIn(entries: ReadonlyMap<string, Oid>, nameOf: (segment: number) => string): Folder[] {
  const found: Folder[] = [];
  for (const [name, oid] of entries) {
    const segment = Number(/\d{6}$/.exec(name)?.[0]);
    if (nameOf(segment) === name) found.push({ segment, oid });
  }
  return found;
}

async function entriesIn(reader: RepositoryReader, tree: Oid | undefined): Promise<ReadonlyMap<string, Oid>> {
  const found = new Map<string, Oid>();
  if (tree === undefined) return found;
  for await (const object of reader.read([tree])) for (const { name, oid } of readableIn(object)) found.set(name, oid);
  return found;
}

function* readableIn(object: GitObject): Generator<Entry, void, undefined> {
  try {
    yield* entriesOf(object);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** From `from` up to the first gap: what lies behind one cannot be read as a stream. */
function knownRun(oids: readonly (Oid | undefined)[], from: number): Oid[] {
  const run: Oid[] = [];
  for (let i = from; i < oids.length; i++) {
    const oid = oids[i];
    if (oid === undefined) break;
    run.push(oid);
  }
  return run;
}
