// Where a verifier gets the event blobs of a commit from. Fast: one listing of the newest tree, read as one stream in
// order. Sure: the commit's own tree, asked for when the fast answer did not verify, because a later commit may have
// altered what the newest tree shows, and then that later commit is the culprit.
import type { GitObject, Oid } from '../../format/git/object.ts';
import { eventIndexOf, fanName, FILES, hotDirectory, segmentName, segmentOf } from '../../ledger/names.ts';
import type { RepositoryReader } from '../../ports/repository.ts';

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
  static async open(reader: RepositoryReader, treeish: Oid, from: number, until: number): Promise<EventSource> {
    const oids: Oid[] = [];
    for (const directory of listedOf(from, until)) {
      for await (const { path, oid } of reader.files(treeish, directory)) {
        const index = eventIndexOf(path);
        if (index !== undefined) oids[index] = oid;
      }
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
    while (blobs.length < wanted.length) {
      const { value, done } = await this.#stream.next();
      if (done === true) return undefined;
      blobs.push(value.body);
    }
    this.#at = until;
    return blobs;
  }

  async close(): Promise<void> {
    await this.#stream?.return?.();
  }
}

/** The blobs of [from, until) as the commit's own tree has them; fewer when some are absent. */
export async function readFromCommit(
  reader: RepositoryReader,
  commit: Oid,
  from: number,
  until: number,
): Promise<Uint8Array[]> {
  const oids: Oid[] = [];
  for (const directory of directoriesOf(from, until)) {
    for await (const { path, oid } of reader.files(commit, directory)) {
      const index = eventIndexOf(path);
      if (index !== undefined && index >= from && index < until) oids[index - from] = oid;
    }
  }
  const blobs: Uint8Array[] = [];
  for await (const object of reader.read(knownRun(oids, 0))) blobs.push(object.body);
  return blobs;
}

/** Where the events lie in a tree of size `until`: a few directories when little is new, else all in one listing. */
function listedOf(from: number, until: number): readonly (string | undefined)[] {
  const open = segmentOf(until);
  if (from === 0 || open - segmentOf(from) > DIRECTORIES_LISTED_MAX) return [undefined];
  const full = Array.from({ length: open - segmentOf(from) }, (_, i) => sealedDirectory(segmentOf(from) + i));
  return [...full, hotDirectory(open)];
}

/** Each costs a process; beyond this, listing everything is quicker. */
const DIRECTORIES_LISTED_MAX = 16;

function sealedDirectory(segment: number): string {
  return `${FILES.segments}/${fanName(segment)}/${segmentName(segment)}`;
}

function directoriesOf(from: number, until: number): string[] {
  const directories: string[] = [];
  for (let segment = segmentOf(from); segment <= segmentOf(until - 1); segment++)
    directories.push(hotDirectory(segment), sealedDirectory(segment));
  return directories;
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
