// How a beacon lies on its reference: one file in a commit without a parent, replaced by the next. Judges none.
import type { Crypto } from '../format/crypto.ts';
import { encodeCommit } from '../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { encodeTree } from '../format/git/tree.ts';
import { beaconBytes, readBeacon, type Beacon } from '../ledger/beacon.ts';
import type { RepositoryReader } from '../ports/repository.ts';

const FILE = 'beacon.json';

export function beaconCommit(
  crypto: Crypto,
  beacon: Beacon,
  atSeconds: number,
): { readonly objects: readonly GitObject[]; readonly next: Oid } {
  const blob = gitObject(crypto, 'blob', beaconBytes(beacon));
  const tree = gitObject(crypto, 'tree', encodeTree([{ mode: '100644', name: FILE, oid: blob.oid }]));
  const author = { name: 'lazarus', email: 'beacon@lazarus.invalid', atSeconds };
  const message = 'beacon\n';
  const commit = gitObject(crypto, 'commit', encodeCommit({ tree: tree.oid, parents: [], author, message }));
  return { objects: [blob, tree, commit], next: commit.oid };
}

export async function beaconAt(reader: RepositoryReader, commit: Oid): Promise<Beacon | undefined> {
  for await (const { path, oid } of reader.files(commit)) {
    if (path !== FILE) continue;
    for await (const { body } of reader.read([oid])) return readBeacon(body);
  }
  return undefined;
}
