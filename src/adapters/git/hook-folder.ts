// The folder in which git looks for the hooks of a clone, and whether it does: another one may be configured, for this
// repository or for all of somebody's. Follows no link; what hooks say is nobody's business here.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { HookFolder } from '../../ports/hook-folder.ts';
import { ASIDE_PREFIX } from '../system/disk.ts';
import { runGit } from './git.ts';
import { findRepository, type FoundRepository } from './probe.ts';

const HOOK_BYTES_MAX = 1024 * 1024;

export async function openHookFolder(cwd: string, signal?: AbortSignal): Promise<HookFolder> {
  const place = await findRepository(cwd, signal);
  const { stdout } = await runGit({ cwd, signal }, ['rev-parse', '--is-bare-repository']);
  if (stdout.trim() === 'true')
    throw new Failure('no_work_tree', {}, { next: 'hooks/pre-receive of lazarus is the hook for a bare repository' });
  await refuseElsewhere(place, cwd);
  const path = join(place.commonDir, 'hooks');
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw new Failure('file_not_plain', { path });
  return new GitHookFolder(path);
}

class GitHookFolder implements HookFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async read(name: string): Promise<string | null | undefined> {
    const path = join(this.path, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    return found.isFile() && found.size <= HOOK_BYTES_MAX ? readFile(path, 'utf8') : null;
  }

  async write(name: string, text: string): Promise<void> {
    const temporary = join(this.path, `${ASIDE_PREFIX}${randomUUID()}`);
    await this.#changing(name, async () => {
      await mkdir(this.path, { recursive: true });
      try {
        const file = await open(temporary, 'wx', 0o755);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, join(this.path, name));
      } catch (cause) {
        await unlink(temporary).catch(() => undefined);
        throw cause;
      }
    });
  }

  async remove(name: string): Promise<void> {
    await this.#changing(name, () => unlink(join(this.path, name)));
  }

  async #changing(name: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code ?? '';
      throw new Failure(
        'file_unwritable',
        { path: join(this.path, name), why },
        { cause, next: `ls -ld ${this.path}` },
      );
    }
  }
}

/** Where git looks elsewhere, ours would lie here and never run; what lies there is for other repositories as well. */
async function refuseElsewhere({ signal }: FoundRepository, cwd: string): Promise<void> {
  const asked = await runGit({ cwd, signal }, ['config', '--show-scope', '--get-all', 'core.hooksPath']);
  const set = asked.stdout.split('\n').flatMap((line) => {
    const [scope = '', path] = line.split('\t');
    // What this git itself was started with.
    return path === undefined || scope === 'command' ? [] : [{ scope, path }];
  });
  const last = set.at(-1);
  if (last === undefined) return;
  const { scope, path } = last;
  throw new Failure('hooks_elsewhere', { path, scope }, { next: `git config --${scope} --unset core.hooksPath` });
}
