// `lazarus init` and `lazarus policy` as they are typed.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lazarus, type Ran, type RunSettings } from '../../support/cli.ts';
import { projectFolder } from '../../support/founding.ts';
import { git, scratch } from '../../support/repos.ts';

const POLICY = '.gitea/lazarus/policy.yml';

function somebody() {
  const folder = projectFolder();
  const home = scratch('home');
  const run = (args: readonly string[], settings: RunSettings = {}): Promise<Ran> =>
    lazarus(args, {
      cwd: folder,
      ...settings,
      env: { HOME: home, LAZARUS_PASSPHRASE: 'correct horse', ...settings.env },
    });
  return { folder, home, run };
}

type Told = { items: { item: string; is: string }[]; person: string; machine: string; policy: unknown; next: string[] };

describe('lazarus init', () => {
  it('makes everything, and says what to type next', async () => {
    const { folder, home, run } = somebody();
    const first = await ok(run(['init', '--name', 'uma']));
    expect(first.stderr).toMatch(/done +key of this computer: [0-9A-F]{40} of uma-machine, kept without a passphrase/);
    expect(first.stdout).toMatch(/genesis {2}sha256:[0-9a-f]{64}\n[^]*git add --force .gitea\/lazarus\n/);
    expect(first.stdout.trimEnd().endsWith('lazarus propose mission.yaml')).toBe(true);
    const keys = join(home, '.config/lazarus/keys');
    expect(readdirSync(keys).map((name) => statSync(join(keys, name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600, 0o600, 0o600,
    ]);

    const second = await json<Told>(run(['init', '--commit', '--json']));
    expect(second).toMatchObject({ person: 'uma', machine: 'uma-machine', policy: { revision: 1 } });
    expect(second.items.filter(({ is }) => is !== 'already there')).toMatchObject([{ item: 'commit', is: 'done' }]);
    expect(second.next).toEqual(['lazarus propose mission.yaml']);
    expect((await ok(run(['verify']))).stdout).toMatch(/^ok project: 2 events/);
    expect(git(folder, ['status', '--porcelain'])).toBe('');
  });

  it('changes nothing with --dry-run', async () => {
    const { folder, home, run } = somebody();
    const { stderr, stdout } = await ok(run(['init', '--name', 'uma', '--commit', '--dry-run']));
    expect(stderr).toMatch(/would +your key: a new key for uma\n/);
    expect(stdout).toContain('Nothing was changed');
    expect(readdirSync(folder)).toEqual(['.git']);
    expect(readdirSync(home)).toEqual([]);
    expect(git(folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
  });

  it('asks for a name, and where nobody can answer says how to give it', async () => {
    const { folder, run } = somebody();
    const { code, stderr } = await run(['init']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--name <you>') });
    expect(git(folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
  });

  it('takes a key that is there, by --key or LAZARUS_KEY or because it is the only one', async () => {
    for (const [args, env] of [
      [['--key', 'bo'], {}],
      [[], { LAZARUS_KEY: 'bo' }],
      [[], {}],
    ] as const) {
      const { run } = somebody();
      await ok(run(['keys', 'new', 'bo']));
      expect(await json<Told>(run(['init', '--json', ...args], { env }))).toMatchObject({
        person: 'bo',
        machine: 'bo-machine',
      });
    }
  });

  it('is finished by a rerun when it was killed after any of its items', async () => {
    for (const seen of [
      'your key:',
      'key of this computer:',
      'project ledger:',
      'roster-draft.yml:',
      'commit of these files:',
    ]) {
      const { run } = somebody();
      const killed = await run(['init', '--name', 'uma', '--commit'], { signalOn: { text: seen, signal: 'SIGKILL' } });
      expect(killed.stderr).toContain(seen);
      await ok(run(['init', '--name', 'uma', '--commit']));
      const third = await json<Told>(run(['init', '--json', '--commit']));
      expect({ seen, is: [...new Set(third.items.map(({ is }) => is))] }).toEqual({ seen, is: ['already there'] });
      expect((await json<{ keys: unknown[] }>(run(['keys', 'list', '--json']))).keys).toHaveLength(2);
    }
  });

  it.each([
    ['a name that is an address', ['--name', 'uma@example.invalid'], 'usage'],
    ['one name for both', ['--name', 'uma', '--machine', 'uma'], 'usage'],
    ['a key that nobody has', ['--key', 'zoe'], 'key_not_found'],
  ])('%s: nothing happens, and the reason is given', async (_, args, code) => {
    const { folder, home, run } = somebody();
    const ran = await run(['init', ...args]);
    expect(ran.stderr).toMatch(new RegExp(`^${code}: `));
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(folder)).toEqual(['.git']);
  });

  it('leaves a person’s key the one that is meant when nothing is said', async () => {
    const { run } = somebody();
    await ok(run(['init', '--name', 'uma', '--commit']));
    await ok(run(['ledger', 'init', '--mission']));
    const shown = await json<{ signer?: string }>(run(['ledger', 'show', 'project', '1', '--json']));
    expect(JSON.stringify(shown)).toContain('"actor_id":"uma"');
  });
});

describe('lazarus policy', () => {
  it('checks what is being written, shows what is in force, and adopts what is committed once somebody agrees', async () => {
    const { folder, run } = somebody();
    await ok(run(['init', '--name', 'uma', '--commit']));
    const text = readFileSync(join(folder, POLICY), 'utf8');

    writeFileSync(join(folder, POLICY), text.replace('answer: allow', 'answer: maybe'));
    const broken = await run(['policy', 'check']);
    expect({ code: broken.code, says: broken.stderr }).toMatchObject({
      code: 9,
      says: expect.stringMatching(/^policy_unreadable: .*line: \d+/),
    });

    writeFileSync(join(folder, POLICY), text.replace('budget_minutes_max: 120', 'budget_minutes_max: 60'));
    expect((await ok(run(['policy', 'check']))).stdout).toContain('not in force until committed and adopted');
    expect((await ok(run(['policy', 'show']))).stdout).toContain('the files on this branch are these');
    git(folder, ['commit', '-q', '-am', 'less']);
    expect((await ok(run(['policy', 'show']))).stdout).toContain('lazarus policy adopt');

    const asked = await run(['policy', 'adopt']);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toMatch(/-budget_minutes_max: 120.*\n\+budget_minutes_max: 60.*\n[^]*agreement_needed/);
    expect(await json(run(['policy', 'show', '--json']))).toMatchObject({
      in_force: { revision: 1 },
      matches_branch: false,
    });
    await ok(run(['policy', 'adopt', '--yes']));
    expect(await json(run(['policy', 'show', '--json']))).toMatchObject({
      in_force: { revision: 2 },
      matches_branch: true,
    });
    expect((await ok(run(['policy', 'adopt']))).stdout).toContain('already there');
  });
});

async function ok(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  expect(ran.code, ran.stderr).toBe(0);
  return ran;
}

async function json<T>(running: Promise<Ran>): Promise<T> {
  return JSON.parse((await ok(running)).stdout) as T;
}
