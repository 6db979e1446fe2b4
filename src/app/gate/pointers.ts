// References that name a word: a commit without parent and files each, the same for the same word. Everything beside the ledgers
// that is found by its name is one, and none of them is an authority.
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { encodeCommit } from '../../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { encodeTree } from '../../format/git/tree.ts';
import { Uuid } from '../../kernel/values.ts';
import type { Change } from '../../ports/repository.ts';
import type { Workbench, WorkbenchParts } from '../workbench.ts';

/** A reference that names a text; without one it goes away. */
export function pointerChange({ parts }: Workbench, { ref, old, text }: Pointer): Change {
  if (text === undefined) return { objects: [], updates: [{ ref, old, next: undefined }] };
  const commit = pointerCommit(parts.crypto, text);
  return { objects: [emptyTree(parts.crypto), commit], updates: [{ ref, old, next: commit.oid }] };
}

type Pointer = { readonly ref: string; readonly old: string | undefined; readonly text: string | undefined };

/** What the references of a mission's issue name: who has its id knows the name of that. */
export function pointerCommit(crypto: Crypto, mission: string): GitObject {
  const author = { name: 'lazarus', email: 'issues@lazarus.invalid', atSeconds: 0 };
  const body = encodeCommit({ tree: emptyTree(crypto).oid, parents: [], author, message: `${mission}\n` });
  return gitObject(crypto, 'commit', body);
}

/** The mission whose id such a commit has. */
export async function missionPointedAt({ repository }: Pick<WorkbenchParts, 'repository'>, oid: Oid): Promise<string> {
  for await (const { type, body } of repository.read([oid])) {
    const text = type === 'commit' ? fromUtf8(body).trimEnd().split('\n').at(-1) : undefined;
    const mission = Uuid.safeParse(text);
    if (mission.success) return mission.data;
  }
  throw new Failure('issue_misplaced', { commit: oid });
}

export function emptyTree(crypto: Crypto): GitObject {
  return gitObject(crypto, 'tree', encodeTree([]));
}
