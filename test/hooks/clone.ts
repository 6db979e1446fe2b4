// A person's clone with a ledger in it and a remote beside it, and git as they type it: hooks on, nothing of their own set.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { placingItems } from '../../src/app/init/hooks.ts';
import { setUp } from '../../src/app/init/items.ts';
import { compose } from '../../src/compose/app.ts';
import { git, scratch, scratchRepository } from '../support/repos.ts';

export type Typed = { readonly code: number | null; readonly says: string };

/** Like `git`, but a failure is an answer. */
export function typed(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Typed {
  const as = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
  const ran = spawnSync('git', [...as, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...env },
  });
  return { code: ran.status, says: ran.stdout + ran.stderr };
}

export type Clone = {
  readonly folder: string;
  readonly remote: string;
  readonly git: (...args: readonly string[]) => Typed;
  /** What a branch names now; empty where there is none. */
  readonly at: (branch: string) => string;
  readonly placeHooks: () => Promise<void>;
};

/** Two commits on `main`; `ledger` stands at the second, here and there. */
export function clone(ledger = 'lazarus/project'): Clone {
  const folder = scratchRepository();
  for (const message of ['one', 'two']) git(folder, ['commit', '-q', '--allow-empty', '-m', message]);
  git(folder, ['update-ref', `refs/heads/${ledger}`, 'HEAD']);
  const remote = join(scratch('remote'), 'there.git');
  git(folder, ['init', '-q', '--bare', remote]);
  git(folder, ['remote', 'add', 'origin', remote]);
  git(folder, ['push', '-q', 'origin', 'main', `refs/heads/${ledger}`]);
  return {
    folder,
    remote,
    git: (...args) => typed(folder, args),
    at: (branch) => git(folder, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]),
    placeHooks: () => placeHooks(folder),
  };
}

/** As `lazarus init --hooks` does, without starting it. */
export async function placeHooks(cwd: string): Promise<void> {
  const { signal } = new AbortController();
  const { folder, hooks } = await compose({ cwd, env: {}, signal, input: { interactive: false } }).hooks();
  const steps = await setUp(await placingItems(folder, hooks), { isDryRun: false });
  expect(steps.map(({ is }) => is)).toEqual(hooks.map(() => 'done'));
}
