// What the hooks of a clone say about a mission's work branch: the same as lazarus says of an agent's work, before it is
// committed and before it leaves the clone.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, scratch } from '../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../support/workshop.ts';
import { placeHooks, typed } from './clone.ts';

const HOOK_MAIN = new URL('../../dist/hook/main.mjs', import.meta.url).pathname;
const OUTSIDE = /lib\.sh +outside_scope +not among the files owned\n/;
const SACRED = /\.gitea\/x +sacred_scope +forge-rules: /;

let at: Workshop;
let branch: string;
let missions = 0;
beforeAll(async () => {
  at = await workshop();
  await placeHooks(at.folder);
});
afterAll(() => at.remove());

const type = (...args: readonly string[]) => typed(at.folder, args);

/** A mission of its own that owns a folder, its work branch checked out on the base. */
async function begun(): Promise<{ readonly owned: string; readonly mission: string }> {
  const owned = `a${missions++}`;
  const { mission } = await at.propose({ 'src/greet.sh\n': `${owned}/**\n`, '  - docs/**\n': '' });
  branch = `lazarus-work/${mission}/1`;
  git(at.folder, ['switch', '-q', '--force', '-C', branch, 'main']);
  return { owned, mission };
}

function emptyRemote(): string {
  const remote = join(scratch('remote'), 'there.git');
  git(at.folder, ['init', '-q', '--bare', remote]);
  return remote;
}

function edit(path: string, text = 'x\n'): void {
  mkdirSync(join(at.folder, path, '..'), { recursive: true });
  writeFileSync(join(at.folder, path), text);
  git(at.folder, ['add', '--force', path]);
}

describe('on a work branch', () => {
  it('lets through what the mission owns, the first time and again', async () => {
    const { owned } = await begun();
    const remote = emptyRemote();
    for (const path of ['one.sh', 'two.sh']) {
      edit(`${owned}/${path}`);
      expect(type('commit', '-q', '-m', path).code).toBe(0);
      expect(type('push', '-q', remote, branch).code).toBe(0);
    }
    expect(git(remote, ['rev-parse', branch])).toBe(git(at.folder, ['rev-parse', 'HEAD']));
  });

  it.each([
    ['a path of nobody’s', 'lib.sh', OUTSIDE],
    ['a sacred path', '.gitea/x', SACRED],
  ])('refuses %s, at the commit and at the push', async (_, path, says) => {
    const { owned, mission } = await begun();
    const remote = emptyRemote();
    edit(`${owned}/fine.sh`);
    edit(path);
    const committed = type('commit', '-q', '-m', 'too much');
    expect(committed).toEqual({ code: 1, says: expect.stringMatching(says) });
    expect(committed.says).toContain(
      `next: git restore --source ${git(at.folder, ['rev-parse', 'main']).slice(0, 12)}`,
    );
    expect(committed.says).toContain(mission);
    expect(committed.says).not.toContain('fine.sh');

    expect(type('commit', '-q', '--no-verify', '-m', 'too much').code).toBe(0);
    expect(type('push', '-q', remote, branch)).toEqual({ code: 1, says: expect.stringMatching(says) });
    // Under the name of a work branch, whatever it is called here.
    expect(type('push', '-q', remote, `HEAD:refs/heads/${branch}`).code).toBe(1);
    expect(git(remote, ['for-each-ref'])).toBe('');
    expect(type('push', '-q', '--no-verify', remote, branch).code).toBe(0);
  });

  it('judges what is about to be committed, not what lies in the folder', async () => {
    const { owned } = await begun();
    edit(`${owned}/one.sh`);
    writeFileSync(join(at.folder, 'lib.sh'), 'not staged\n');
    expect(type('commit', '-q', '-m', 'one').code).toBe(0);
    git(at.folder, ['add', 'lib.sh']);
    writeFileSync(join(at.folder, owned, 'one.sh'), 'changed\n');
    expect(type('commit', '-q', '-m', 'two', '--', `${owned}/one.sh`).code).toBe(0);
    expect(type('commit', '-q', '-m', 'three').says).toMatch(OUTSIDE);
    git(at.folder, ['rm', '-q', '--cached', 'lib.sh']);
  });

  it('goes by the plan in force: what it found out before ends with the next event', async () => {
    const { owned, mission } = await begun();
    const remote = emptyRemote();
    edit(`${owned}/one.sh`);
    expect(type('commit', '-q', '-m', 'one').code).toBe(0);
    expect(type('push', '-q', remote, branch).code).toBe(0);
    const revised = at.file({ 'src/greet.sh\n': `b${missions++}/**\n`, '  - docs/**\n': '' });
    await ok(at.run(['propose', revised, '--revise', mission, '--as', 'ana']));
    edit(`${owned}/two.sh`);
    expect(type('commit', '-q', '-m', 'two').says).toMatch(/two\.sh +outside_scope/);
    expect(type('push', '-q', remote, 'HEAD:refs/heads/elsewhere').code).toBe(0);
    expect(type('push', '-q', remote, `HEAD:refs/heads/lazarus-work/${mission}/2`).says).toMatch(
      /one\.sh +outside_scope/,
    );
  });

  it('warns and lets through where the mission is not known here', () => {
    git(at.folder, ['switch', '-q', '--force', '-C', 'lazarus-work/m-0123456789ab/1', 'main']);
    edit('lib.sh');
    const { code, says } = type('commit', '-q', '-m', 'somebody else’s');
    expect({ code, says }).toEqual({
      code: 0,
      says: expect.stringMatching(
        /warning: m-0123456789ab is not known here.*\n.*lazarus ledger pull <remote> m-0123456789ab/,
      ),
    });
  });

  it('runs no program of the branch, and refuses where lazarus is gone', async () => {
    const { owned } = await begun();
    const hook = join(at.folder, '.git/hooks/lazarus-work-branch');
    const tree = git(at.folder, ['write-tree']);
    mkdirSync(join(at.folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(at.folder, 'node_modules/.bin/lazarus'), '#!/bin/sh\necho ran\nexit 0\n');
    chmodSync(join(at.folder, 'node_modules/.bin/lazarus'), 0o755);
    const asShipped = new URL('../../hooks/lazarus-work-branch', import.meta.url).pathname;
    const { status, stdout, stderr } = spawnSync('/bin/sh', [asShipped, branch, tree], {
      cwd: at.folder,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/the program is not there[^]*next: lazarus init --hooks/),
    });
    // Where a graphical program starts git, PATH has neither node nor lazarus: the hook was told where they are.
    edit(`${owned}/one.sh`);
    const bare = { PATH: '/usr/bin:/bin' };
    expect(typed(at.folder, ['commit', '-q', '-m', 'one'], bare).code).toBe(0);
    renameSync(hook, `${hook}.away`);
    expect(typed(at.folder, ['commit', '-q', '--allow-empty', '-m', 'two'], bare).code).not.toBe(0);
    renameSync(`${hook}.away`, hook);
  });
});

describe('lazarus scope check', () => {
  let mine: Awaited<ReturnType<typeof begun>>;
  beforeAll(async () => {
    mine = await begun();
  });

  it('says the same to a program', async () => {
    const { owned, mission } = mine;
    edit(`${owned}/one.sh`);
    type('commit', '-q', '-m', 'one');
    const base = git(at.folder, ['rev-parse', 'main']);
    expect(await json(at.run(['scope', 'check', branch, '--json']))).toMatchObject({
      mission,
      base,
      verdict: 'inside',
      changed: 1,
      violations: [],
    });
    edit('lib.sh');
    const ran = await at.run(['scope', 'check', branch, '--at', git(at.folder, ['write-tree']), '--json']);
    expect({ code: ran.code, found: JSON.parse(ran.stdout) }).toMatchObject({
      code: 3,
      found: { verdict: 'violated', violations: [{ path: 'lib.sh', code: 'outside_scope' }] },
    });
  });

  it('is asked once: until a ledger moves, hooks go by what it found out', async () => {
    const tree = (): string => git(at.folder, ['write-tree']);
    const asked = (oid: string) => spawnSync(process.execPath, [HOOK_MAIN, branch, oid], { cwd: at.folder }).status;
    const { mission } = mine;
    git(at.folder, ['read-tree', 'main']);
    const [fine, kept] = [tree(), join(at.folder, '.git/lazarus/folds', `${mission}.work-scope.json`)];
    rmSync(kept, { force: true });
    expect(asked(fine)).toBe(1);
    await ok(at.run(['scope', 'check', branch, '--at', fine]));
    expect(asked(fine)).toBe(0);
    edit('lib.sh');
    expect([asked(tree()), asked('main')]).toEqual([1, 1]);
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('"filesOwned":["', '"filesOwned":["**","'));
    expect(asked(fine)).toBe(1);
    await ok(at.run(['scope', 'check', branch, '--at', fine]));
    await ok(at.run(['stop', '--yes', '--key', 'ana']));
    expect(asked(fine)).toBe(1);
  });

  it.each([
    [['main'], 2, /^usage: .*lazarus-work\/m-…/],
    [['lazarus-work/m-0123456789ab/1'], 7, /^ledger_not_found: /],
    [['BRANCH', '--at', 'HEAD'], 2, /^usage: .*whole name of a commit or tree/],
    [['BRANCH/9'], 2, /^usage: /],
    [['BRANCH', '--at', '0123456789012345678901234567890123456789'], 6, /^object_missing: /],
  ])('%j: exits with %i and says why', async (args, code, says) => {
    const ran = await at.run(['scope', 'check', ...args.map((word) => word.replace('BRANCH', branch))]);
    expect(ran).toMatchObject({ code, stderr: expect.stringMatching(says) });
    expect(ran.stderr).toMatch(/next: /);
  });
});
