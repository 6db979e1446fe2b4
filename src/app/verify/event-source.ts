// Where a verifier gets the event blobs of a commit from. Fast: one listing of the newest tree, read as one stream in
// order. Sure: the commit's own tree, asked for when the fast answer did not verify, because a later commit may have
// altered what the newest tree shows, and then that later commit is the culprit.
import type { GitObject, Oid } from '../../format/git/object.ts';
import { eventFile, eventIndexOf, fanName, FILES, hotDirectory, segmentName, segmentOf } from '../../ledger/names.ts';
import { entriesOf } from '../../format/git/any-object.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { isDamage } from './damage.ts';

export class EventSource {
  readonly #reader: RepositoryReader;
  readonly #oids: readonly (Oid | undefined)[];
  #stream: AsyncIterator<GitObject> | undefined;
  #at: number;

  private constructor(reader: RepositoryReader, oids: readonly (Oid | undefined)[], from: number) {
    this.#reader = reader;
    this.#oids = oids;
    this.#at = from;
  }

  /** Lists the events [from, until) of a tree that claims to hold `until`, to be read in order. */
  static async open(reader: RepositoryReader, tree: Oid, from: number, until: number): Promise<EventSource> {
    const oids: (Oid | undefined)[] = [];
    try {
      if (segmentOf(until - 1) - segmentOf(from) < SEGMENTS_READ_MAX) {
        const named = await namedIn(reader, tree, from, until);
        named.forEach((oid, i) => (oids[from + i] = oid));
      } else {
        for (const directory of listedOf(from, until)) {
          for await (const { path, oid } of reader.files(tree, directory)) {
            const index = eventIndexOf(path);
            if (index !== undefined) oids[index] = oid;
          }
        }
      }
    } catch (error) {
      // The newest commit's own fault, to be named when its turn comes.
      if (!isDamage(error)) throw error;
    }
    return new EventSource(reader, oids, from);
  }

  /** The blobs of [from, until), or undefined where this source cannot tell. */
  async next(from: number, until: number): Promise<Uint8Array[] | undefined> {
    if (from !== this.#at) return undefined;
    const wanted = this.#oids.slice(from, until);
    if (wanted.length !== until - from || wanted.includes(undefined)) return undefined;
    this.#stream ??= this.#reader.read(knownRun(this.#oids, from))[Symbol.asyncIterator]();
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
  const oids = await namedIn(reader, tree, from, until);
  const blobs: Uint8Array[] = [];
  for await (const object of reader.read(knownRun(oids, 0))) blobs.push(object.body);
  return blobs;
}

/** The names that a tree has for the events [from, until), the first of them at 0. */
async function namedIn(reader: RepositoryReader, tree: Oid, from: number, until: number): Promise<Oid[]> {
  const top = await entriesIn(reader, tree);
  const filed = await entriesIn(reader, top.get(FILES.segments));
  const oids: Oid[] = [];
  for (let segment = segmentOf(from); segment <= segmentOf(until - 1); segment++) {
    const fan = await entriesIn(reader, filed.get(fanName(segment)));
    for (const folder of [top.get(hotDirectory(segment)), fan.get(segmentName(segment))])
      for (const [name, oid] of await entriesIn(reader, folder)) {
        const index = indexOf(name);
        if (index !== undefined && segmentOf(index) === segment && index >= from && index < until)
          oids[index - from] = oid;
      }
  }
  return oids;
}

async function entriesIn(reader: RepositoryReader, tree: Oid | undefined): Promise<ReadonlyMap<string, Oid>> {
  const found = new Map<string, Oid>();
  if (tree === undefined) return found;
  for await (const object of reader.read([tree])) {
    try {
      for (const { name, oid } of entriesOf(object)) found.set(name, oid);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return found;
}

function indexOf(name: string): number | undefined {
  const index = Number(name.slice(0, -'.json'.length));
  return Number.isSafeInteger(index) && eventFile(index) === name ? index : undefined;
}

/** Where the events lie in a tree of size `until`: a few directories when little is new, else all in one listing. */
function listedOf(from: number, until: number): readonly (string | undefined)[] {
  const open = segmentOf(until);
  if (from === 0 || open - segmentOf(from) > DIRECTORIES_LISTED_MAX) return [undefined];
  const full = Array.from({ length: open - segmentOf(from) }, (_, i) => sealedDirectory(segmentOf(from) + i));
  return [...full, hotDirectory(open)];
}

/** Of so few, the trees themselves are read sooner than a process that lists them has started. */
const SEGMENTS_READ_MAX = 2;
/** Each costs a process; beyond this, listing everything is quicker. */
const DIRECTORIES_LISTED_MAX = 16;

function sealedDirectory(segment: number): string {
  return `${FILES.segments}/${fanName(segment)}/${segmentName(segment)}`;
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
