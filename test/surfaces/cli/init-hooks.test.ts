// `lazarus init --hooks` as it is typed: what it places and takes back, what it leaves alone, and what it refuses.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callingLines } from '../../../src/app/init/hooks.ts';
import { lazarus, type Ran } from '../../support/cli.ts';
import { git, personWith, scratch, scratchRepository } from '../../support/repos.ts';
import { json, ok } from '../../support/workshop.ts';

const OURS = ['lazarus-work-branch', 'pre-commit', 'pre-push', 'reference-transaction'];
const SHIPPED = new URL('../../../hooks/', import.meta.url).pathname;

type Told = { readonly folder: string; readonly items: readonly { readonly title: string; readonly is: string }[] };

/** A clone without git's samples. */
function cloned() {
  const folder = scratchRepository('--template=');
  const hooks = join(folder, '.git/hooks');
  const init = (...args: readonly string[]): Promise<Ran> => lazarus(['init', '--hooks', ...args], { cwd: folder });
  const put = (name: string, text: string): void => {
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, name), text);
    chmodSync(join(hooks, name), 0o755);
  };
  const there = (): string[] => readdirSync(hooks).toSorted();
  return { folder, hooks, init, put, there, at: (name: string) => readFileSync(join(hooks, name), 'utf8') };
}

describe('lazarus init --hooks', () => {
  it('places them once, renews an older one, and takes back what it placed', async () => {
    const { init, there, at, put, hooks } = cloned();
    expect(await json<Told>(init('--dry-run', '--json'))).toMatchObject({
      folder: hooks,
      items: OURS.map((title) => ({ title, is: 'would' })),
    });
    expect((await json<Told>(init('--json'))).items.map(({ is }) => is)).toEqual(OURS.map(() => 'done'));
    expect(there()).toEqual(OURS);
    for (const name of OURS) expect(lstatSync(join(hooks, name)).mode & 0o100).toBe(0o100);
    const placed = at('pre-push');

    put('pre-push', `${placed}# an older one\n`);
    const again = await json<Told>(init('--json'));
    expect(again.items.filter(({ is }) => is !== 'already there')).toMatchObject([{ title: 'pre-push', is: 'done' }]);
    expect(at('pre-push')).toBe(placed);

    put('commit-msg', '#!/bin/sh\n');
    expect((await ok(init('--remove', '--dry-run'))).stderr).toMatch(/would +pre-push: to be taken out/);
    expect(there()).toContain('pre-push');
    await ok(init('--remove'));
    expect(there()).toEqual(['commit-msg']);
    expect((await ok(init('--remove'))).stdout).toBe('There was no hook of lazarus.\n');
  });

  it('places what ships, told where this program is', async () => {
    const { init, at } = cloned();
    await ok(init());
    for (const name of OURS.slice(1)) expect(at(name)).toBe(readFileSync(join(SHIPPED, name), 'utf8'));
    const told = spawnSync(
      '/bin/sh',
      ['-c', `${at('lazarus-work-branch').split('\nbranch=')[0]!}\necho "$node $package"`],
      {
        encoding: 'utf8',
      },
    );
    expect(told.stdout).toBe(`${process.execPath} ${join(SHIPPED, '..')}\n`);
  });

  it.each(['pre-commit', 'pre-push', 'reference-transaction'])(
    'leaves a %s of somebody else alone, and says how to have ours called',
    async (name) => {
      const { init, put, at, there, hooks } = cloned();
      const theirs = '#!/bin/sh\ncat > "$0.heard"\n';
      put(name, theirs);
      const { code, stdout, stderr } = await init();
      expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining('left alone: ours is not run') });
      expect(at(name)).toBe(theirs);
      expect(stdout).toContain(
        callingLines(name)
          .map((line) => `    ${line}\n`)
          .join(''),
      );

      // Ours is called first and decides; what git told it, theirs is told as well.
      put(name, theirs.replace('\n', `\n${callingLines(name).join('\n')}\n`));
      const second = await json<Told>(init('--json'));
      expect(second.items.every(({ is }) => is === 'already there')).toBe(true);
      const told = 'one two three\nfour five six\n';
      const run = (): number | null => spawnSync(join(hooks, name), ['said'], { cwd: hooks, input: told }).status;
      put(`${name}.lazarus`, '#!/bin/sh\n[ "$1" = said ] || exit 9\nexit 0\n');
      expect([run(), at(`${name}.heard`)]).toEqual([0, told]);
      rmSync(join(hooks, `${name}.heard`));
      put(`${name}.lazarus`, '#!/bin/sh\nexit 3\n');
      expect([run(), there().includes(`${name}.heard`)]).toEqual([3, false]);

      // Gone, ours is not missed.
      rmSync(join(hooks, `${name}.lazarus`));
      expect([run(), at(`${name}.heard`)]).toEqual([0, told]);
    },
  );

  it('follows no link', async () => {
    const { init, hooks, put } = cloned();
    const elsewhere = join(scratch('elsewhere'), 'theirs');
    writeFileSync(elsewhere, readFileSync(join(SHIPPED, 'pre-push')));
    put('other', '');
    symlinkSync(elsewhere, join(hooks, 'pre-push'));
    const before = readFileSync(elsewhere, 'utf8');
    expect((await init()).code).toBe(8);
    await ok(init('--remove'));
    expect(readFileSync(elsewhere, 'utf8')).toBe(before);
    expect(lstatSync(join(hooks, 'pre-push')).isSymbolicLink()).toBe(true);
  });
});

describe('what it refuses, with nothing written', () => {
  it.each<[what: string, args: readonly string[], code: number, says: RegExp]>([
    ['hooks and something else', ['--name', 'ana'], 2, /^usage: .*--name is for something else/],
    ['hooks and a commit', ['--commit'], 2, /^usage: /],
  ])('%s', async (_, args, code, says) => {
    const { init, folder } = cloned();
    expect(await init(...args)).toMatchObject({ code, stderr: expect.stringMatching(says) });
    expect(readdirSync(join(folder, '.git'))).not.toContain('hooks');
  });

  it('taking back without saying what', async () => {
    const ran = await lazarus(['init', '--remove'], { cwd: cloned().folder });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/^usage: .*--hooks beside it/) });
  });

  it('a folder that is no repository, and a bare one', async () => {
    const nowhere = await lazarus(['init', '--hooks'], { cwd: scratch('nowhere') });
    expect(nowhere).toMatchObject({ code: 9, stderr: expect.stringMatching(/^not_a_repository: [^]*next: git init/) });
    const bare = await lazarus(['init', '--hooks'], { cwd: scratchRepository('--bare') });
    expect(bare).toMatchObject({ code: 9, stderr: expect.stringMatching(/^no_work_tree: [^]*next: .*pre-receive/) });
  });

  it.each(['local', 'global'])('a folder of hooks that core.hooksPath names, %s', async (scope) => {
    const { folder } = cloned();
    const theirs = scratch('theirs');
    const person = scope === 'global' ? personWith(['core.hooksPath', theirs]) : undefined;
    if (scope === 'local') git(folder, ['config', 'core.hooksPath', theirs]);
    const ran = await lazarus(['init', '--hooks'], { cwd: folder, env: { ...person } });
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringMatching(/^hooks_elsewhere: /) });
    expect(ran.stderr).toContain(`next: git config --${scope} --unset core.hooksPath`);
    expect([readdirSync(theirs), readdirSync(join(folder, '.git')).includes('hooks')]).toEqual([[], false]);
  });

  it('a place where nothing can be written', async () => {
    const { init, hooks } = cloned();
    writeFileSync(hooks, 'no folder\n');
    expect(await init()).toMatchObject({ code: 3, stderr: expect.stringMatching(/^file_not_plain: /) });
    rmSync(hooks);
    mkdirSync(join(hooks, 'pre-push'), { recursive: true });
    expect((await init()).code).toBe(8);
    expect(lstatSync(join(hooks, 'pre-push')).isDirectory()).toBe(true);
    // A link leads out of the clone, and others' hooks lie where it leads.
    rmSync(hooks, { recursive: true });
    symlinkSync('/proc/version', hooks);
    expect(await init()).toMatchObject({ code: 3, stderr: expect.stringMatching(/next: /) });
  });
});

it('prints the hook for a server as it ships', async () => {
  const { stdout } = await ok(lazarus(['init', '--pre-receive'], { cwd: scratch('anywhere') }));
  expect(stdout).toBe(readFileSync(join(SHIPPED, 'pre-receive'), 'utf8'));
});
