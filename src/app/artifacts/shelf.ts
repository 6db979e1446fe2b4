// The reference that holds a ledger's artifacts, as a value: which digest lies under which object. Its commit has no
// parent, so that what is taken off the shelf is reachable no more; the same shelf is always the same commit.
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { artifactsRef, fetchedRef } from '../../ledger/names.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { Workbench } from '../workbench.ts';
import { fanOf, fanTree, rootTree, shelfCommit } from './shelf-trees.ts';

/** What one ledger may keep: enough for a mission, too little to turn its repository into a file server. */
const ARTIFACTS_BYTES_MAX = 1024 * 1024 * 1024;
const ARTIFACTS_MAX = 20_000;

export type Shelf = {
  readonly head: Oid | undefined;
  /** By the 64 hex digits of the digest. */
  readonly blobs: ReadonlyMap<string, Oid>;
};

/** Anybody who may push can put files there that are no artifacts: they are not seen, and the next change drops them. */
export async function readShelf(reader: RepositoryReader, head: Oid | undefined): Promise<Shelf> {
  const blobs = new Map<string, Oid>();
  if (head !== undefined) {
    for await (const { path, oid } of reader.files(head)) {
      const digest = PATH.exec(path)?.[1];
      if (digest !== undefined && path.startsWith(fanOf(digest))) blobs.set(digest, oid);
    }
  }
  return { head, blobs };
}

/** The shelves of a ledger in this repository: its own, and what was last seen of a remote's. */
export async function shelvesHere({ parts, place, shelves }: Workbench, ledger: string): Promise<readonly Shelf[]> {
  const { repository, remote } = parts;
  const ref = artifactsRef(ledger);
  const heads = await Promise.all([repository.resolve(ref), repository.resolve(fetchedRef(ref))]);
  // Asking for the remote's head brings its objects here.
  if (remote !== undefined) heads.push(await place.head(ref));
  return Promise.all([...new Set(heads)].map((head) => shelves.read(repository, ref, head)));
}

/** The commit of a shelf with these blobs, and those objects of it that the shelf before did not have. */
export function arrange(
  crypto: Crypto,
  before: Shelf,
  blobs: ReadonlyMap<string, Oid>,
): { readonly oid: Oid; readonly objects: readonly GitObject[] } {
  const next = build(crypto, blobs);
  const known = build(crypto, before.blobs);
  // Another head than these blobs make was not written by this function: then none of its trees may be relied on.
  const stored = new Set(known.commit.oid === before.head ? known.trees.map(({ oid }) => oid) : []);
  return { oid: next.commit.oid, objects: [...next.trees.filter(({ oid }) => !stored.has(oid)), next.commit] };
}

export function refuseFull(
  shelf: { readonly bytes: number; readonly artifacts: number },
  added: { readonly bytes: number; readonly count: number },
): void {
  const bytes = shelf.bytes + added.bytes;
  const artifacts = shelf.artifacts + added.count;
  const limits = { bytes_max: ARTIFACTS_BYTES_MAX, artifacts_max: ARTIFACTS_MAX };
  if (bytes > limits.bytes_max || artifacts > limits.artifacts_max)
    throw new Failure('artifacts_full', { bytes, artifacts, ...limits });
}

/** Artifacts by the folder they lie in. */
export function byFan(blobs: ReadonlyMap<string, Oid>): Map<string, Map<string, Oid>> {
  const fans = new Map<string, Map<string, Oid>>();
  for (const [digest, oid] of blobs) {
    const fan = fans.get(fanOf(digest)) ?? new Map<string, Oid>();
    fans.set(fanOf(digest), fan.set(digest, oid));
  }
  return fans;
}

const PATH = /^[0-9a-f]{2}\/([0-9a-f]{64})$/;

function build(crypto: Crypto, blobs: ReadonlyMap<string, Oid>): { trees: GitObject[]; commit: GitObject } {
  const fans = new Map([...byFan(blobs)].map(([name, fan]) => [name, fanTree(crypto, fan)]));
  const root = rootTree(crypto, fans);
  return { trees: [...fans.values(), root], commit: shelfCommit(crypto, root) };
}
