// The built action as it ships: a few files, no folders. Read whole; what is in them is the builder's business.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { CommitFile } from '../../ports/work-tree.ts';

/** The same place from the sources and from the build. */
const FOLDER = fileURLToPath(new URL('../../../dist/action/', import.meta.url));
const DESCRIPTION = 'action.yml';

export async function readBuiltAction(): Promise<readonly CommitFile[]> {
  const names = await readdir(FOLDER).catch((): string[] => []);
  if (!names.includes(DESCRIPTION)) throw new Failure('action_not_built');
  return Promise.all(
    names.toSorted().map(async (path) => ({ path, content: new Uint8Array(await readFile(join(FOLDER, path))) })),
  );
}
