// What stands at one path of a commit: a file, and whether it may be executed, a link, a folder. Reads the folders that lead
// there and nothing else. Knows nothing of what the path is for.
import { entriesOf, treeOf, type Entry } from '../format/git/any-object.ts';
import type { GitObject, Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { Repository } from '../ports/repository.ts';

/** Undefined where there is nothing; a link on the way is not followed, but answered with. Throws `object_missing` for a folder on the way that is not here. */
export async function entryAt(
  repository: Pick<Repository, 'read'>,
  commit: Oid,
  path: string,
): Promise<Entry | undefined> {
  let tree = treeOf(await objectAt(repository, commit));
  const steps = path.split('/');
  for (const [n, step] of steps.entries()) {
    const found = named(await objectAt(repository, tree), step);
    if (found === undefined || n === steps.length - 1) return found;
    if (found.is !== 'folder') return isLink(found) ? found : undefined;
    tree = found.oid;
  }
  return undefined;
}

/** What a file holds; undefined for anything else, and where it is larger than it may be. */
export async function bytesAt(
  repository: Repository,
  commit: Oid,
  path: string,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const found = await entryAt(repository, commit, path);
  return found?.is === 'file' ? bytesOf(repository, found.oid, bytesMax) : undefined;
}

/** Of a blob; undefined where it is not here, or larger than it may be. */
export async function bytesOf(
  repository: Repository,
  oid: Oid | undefined,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  if (oid === undefined || ((await repository.sizes([oid]))[0] ?? Infinity) > bytesMax) return undefined;
  for await (const { body } of repository.read([oid])) return body;
  return undefined;
}

const LINK = 0o120000;

export function isLink({ mode }: Entry): boolean {
  return mode === LINK;
}

function named(tree: GitObject, wanted: string): Entry | undefined {
  for (const entry of entriesOf(tree)) if (entry.name === wanted) return entry;
  return undefined;
}

async function objectAt(repository: Pick<Repository, 'read'>, oid: Oid): Promise<GitObject> {
  for await (const object of repository.read([oid])) return object;
  throw new Failure('object_missing', { oid });
}
