// Takes up a tip from a snapshot of its state and the tree of its commit, without its history. Both are already trusted:
// the snapshot was kept when the commit was verified, and what stands in that tree was checked byte for byte then.
import type { Crypto } from '../../format/crypto.ts';
import { objectId, type GitObject, type Oid } from '../../format/git/object.ts';
import { parseTree, type TreeEntry } from '../../format/git/tree.ts';
import { encodeTree } from '../../format/git/tree.ts';
import { Failure } from '../../failure.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import { accept, refuse } from '../../kernel/verdict.ts';
import { readFrontier } from '../../ledger/derived.ts';
import type { Layout } from '../../ledger/layout.ts';
import { FILES, hotDirectory, segmentOf } from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import { GENESIS_SELF } from '../../ledger/trailers.ts';
import type { ReadCommit } from '../../ledger/verify-commit.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { Snapshot } from './snapshots.ts';

type Top = ReadonlyMap<string, TreeEntry>;

/** The tip right behind the commit that the snapshot is of. */
export async function restoreTip(
  crypto: Crypto,
  reader: RepositoryReader,
  read: ReadCommit,
  snapshot: Snapshot,
): Promise<Verdict<Tip>> {
  const { commit, claims, oid } = read;
  if (snapshot.head.oid !== oid) return refuse('cold_needs_history', { head: snapshot.head.oid });
  const top = await readTop(crypto, reader, commit.tree);
  const frontierFile = top.get(FILES.frontier);
  if (frontierFile === undefined) return refuse('derived_file_mismatch', { file: FILES.frontier });
  const frontier = readFrontier(
    crypto,
    (await readOne(crypto, reader, frontierFile.oid)).body,
    claims.size,
    claims.root,
  );
  if (frontier.is === 'refused') return frontier;
  return accept({
    kind: snapshot.state.kind,
    oid,
    size: claims.size,
    root: claims.root,
    frontier: frontier.value,
    layout: await readLayout(crypto, reader, claims.size, top, commit.tree),
    state: snapshot.state,
    recent: snapshot.recent,
    genesis: claims.genesis === GENESIS_SELF ? oid : claims.genesis,
    project: claims.project,
    parent: undefined,
  });
}

/** The directories that an append will touch, with their bodies. */
async function readLayout(
  crypto: Crypto,
  reader: RepositoryReader,
  size: number,
  top: Top,
  tree: Oid,
): Promise<Layout> {
  const hot = top.get(hotDirectory(segmentOf(size)));
  const segments = top.get(FILES.segments);
  const fans = segments === undefined ? [] : parseTree((await readOne(crypto, reader, segments.oid)).body);
  const last = fans.at(-1);
  return {
    size,
    hot: hot === undefined ? undefined : await readOne(crypto, reader, hot.oid),
    fan: last === undefined ? undefined : await readOne(crypto, reader, last.oid),
    fullFans: encodeTree(fans.slice(0, -1)),
    segments: segments?.oid,
    root: await readOne(crypto, reader, tree),
  };
}

async function readTop(crypto: Crypto, reader: RepositoryReader, tree: Oid): Promise<Top> {
  const entries = parseTree((await readOne(crypto, reader, tree)).body);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Reads one object and holds it to its name: nothing trusted may depend on a repository's honesty. */
async function readOne(crypto: Crypto, reader: RepositoryReader, oid: Oid): Promise<GitObject> {
  for await (const object of reader.read([oid])) {
    if (objectId(crypto, object.type, object.body) !== oid) throw new Failure('object_corrupt', { oid });
    return object;
  }
  throw new Failure('object_missing', { oid });
}
