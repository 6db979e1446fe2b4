// How something signed that is said beside a ledger lies on its reference: one file in a commit without a parent. Judges
// none, and knows nobody.
import type { Crypto } from '../format/crypto.ts';
import { filesCommit } from '../format/git/files-commit.ts';
import type { GitObject, Oid } from '../format/git/object.ts';
import type { RepositoryReader } from '../ports/repository.ts';

type Kind = 'beacon' | 'late';

/** `bytes`: of a file of that name. */
export function saidCommit(
  crypto: Crypto,
  kind: Kind,
  bytes: Uint8Array,
  atSeconds: number,
): { readonly objects: readonly GitObject[]; readonly next: Oid } {
  const about = { by: kind, message: `${kind}\n`, atSeconds };
  const { objects, commit } = filesCommit(crypto, [[fileOf(kind), bytes]], about);
  return { objects, next: commit };
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
