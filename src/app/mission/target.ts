// The repository that missions change, as far as deciding needs it: what a base means now, whether it still goes on from
// what was approved, and files of the protected branch. Reads objects only; no work tree, no configuration of anybody's.
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import { incomingRef } from '../../ledger/names.ts';
import { entryAt, isLink } from '../tree-entry.ts';
import type { Workbench } from '../workbench.ts';

const POLICY_FILE_BYTES_MAX = 256 * 1024;

/** The commit that a base names now: a branch of the place where the ledgers live, or a commit itself. */
export async function baseCommit({ place, parts }: Workbench, base: string): Promise<Oid> {
  if (/^[0-9a-f]{40}$/.test(base)) {
    const [size] = await parts.repository.sizes([base]);
    if (size === undefined) throw new Failure('base_unknown', { base });
    return base;
  }
  const commit = await place.head(`refs/heads/${base}`);
  if (commit === undefined) throw new Failure('base_unknown', { base });
  return commit;
}

/** Whether what was approved is still part of the base. New commits on top do not matter; a rewritten base does. */
export async function assertBaseStands(bench: Workbench, base: string, approved: Oid): Promise<void> {
  const now = await baseCommit(bench, base);
  if (now === approved) return;
  const { repository } = bench.parts;
  // A clone of a rewritten base does not even have what was approved.
  const [isHere] = await repository.sizes([approved]);
  if (isHere !== undefined && (await repository.isAncestor(approved, now))) return;
  throw new Failure('ref_moved', { base, approved, now });
}

/** The bytes of a file at a commit; undefined when there is none. */
export async function fileAt({ parts }: Workbench, commit: Oid, path: string): Promise<Uint8Array | undefined> {
  const { repository } = parts;
  await parts.bringFile?.(commit, path);
  for await (const file of repository.files(commit, path)) {
    if (file.path !== path) continue;
    const [size] = await repository.sizes([file.oid]);
    if (size === undefined || size > POLICY_FILE_BYTES_MAX)
      throw new Failure('file_unreadable', { path, bytes: size ?? 0, bytes_max: POLICY_FILE_BYTES_MAX });
    for await (const { body } of repository.read([file.oid])) return body;
  }
  return undefined;
}

export type AtPath = 'program' | 'file' | 'link' | 'folder' | 'submodule';

/** What a commit has at a path, however large it is; undefined for nothing. */
export async function lookAtPath({ parts }: Workbench, commit: Oid, path: string): Promise<AtPath | undefined> {
  await parts.bringEntry?.(commit, path);
  const found = await entryAt(parts.repository, commit, path);
  if (found?.is !== 'file') return found?.is;
  if (isLink(found)) return 'link';
  return (found.mode & EXECUTABLE) === 0 ? 'file' : 'program';
}

const EXECUTABLE = 0o111;

/** A job that delivers begins with an empty clone, and git sends a reference only to what is here. */
export async function bringIncoming({ place, parts }: Workbench, attempt: string, commit: Oid): Promise<void> {
  const [isHere] = await parts.repository.sizes([commit]);
  if (isHere === undefined) await place.head(incomingRef(attempt));
}
