// How something signed that is said beside a ledger lies on its reference: one file in a commit without a parent. Judges
// none, and knows nobody.
import type { Crypto } from '../format/crypto.ts';
import { encodeCommit } from '../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { encodeTree } from '../format/git/tree.ts';
import type { RepositoryReader } from '../ports/repository.ts';

type Kind = 'beacon' | 'late';

/** `bytes`: of a file of that name. */
export function saidCommit(
  crypto: Crypto,
  kind: Kind,
  bytes: Uint8Array,
  atSeconds: number,
): { readonly objects: readonly GitObject[]; readonly next: Oid } {
  const blob = gitObject(crypto, 'blob', bytes);
  const tree = gitObject(crypto, 'tree', encodeTree([{ mode: '100644', name: fileOf(kind), oid: blob.oid }]));
  const author = { name: 'lazarus', email: `${kind}@lazarus.invalid`, atSeconds };
  const message = `${kind}\n`;
  const commit = gitObject(crypto, 'commit', encodeCommit({ tree: tree.oid, parents: [], author, message }));
  return { objects: [blob, tree, commit], next: commit.oid };
}

export async function saidAt(reader: RepositoryReader, commit: Oid, kind: Kind): Promise<Uint8Array | undefined> {
  for await (const { path, oid } of reader.files(commit)) {
    if (path !== fileOf(kind)) continue;
    for await (const { body } of reader.read([oid])) return body;
  }
  return undefined;
}

function fileOf(kind: Kind): string {
  return `${kind}.json`;
}
