// An empty bare repository in the system's temporary folder, for what is needed only until a command ends. Nobody's
// templates, hooks or default settings reach it.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGit } from '../git/git.ts';

export type BareRepository = { readonly path: string; readonly remove: () => Promise<void> };

export async function bareRepository(signal?: AbortSignal): Promise<BareRepository> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lazarus-cold-')));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  try {
    await askGit({ cwd: path, signal }, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', path]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
