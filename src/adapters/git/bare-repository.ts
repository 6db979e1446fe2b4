// An empty bare repository for what is needed only until a command or a job ends. Nobody's templates, hooks or default
// settings reach it, and no variable of a surrounding git leads elsewhere.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGit } from './git.ts';

type Making = { readonly folder?: string; readonly signal?: AbortSignal };
export type BareRepository = { readonly path: string; readonly remove: () => Promise<void> };

/** In the system's temporary folder unless told where. */
export async function bareRepository({ folder = tmpdir(), signal }: Making = {}): Promise<BareRepository> {
  const path = await realpath(await mkdtemp(join(folder, 'lazarus-bare-')));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  try {
    await askGit({ cwd: path, signal }, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', path]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
