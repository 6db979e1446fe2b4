// `lazarus doctor` as it is typed, in places where something is really missing: what it says, its exit code, and that the line
// it prints, typed as printed, puts it right.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { projectFolder } from '../../support/founding.ts';
import { runWithout } from '../../support/lacking.ts';
import { git, scratch } from '../../support/repos.ts';

type Found = { item: string; title: string; is: 'ok' | 'warn' | 'missing'; says: string; next?: string };
type Told = { ready: boolean; findings: readonly Found[] };
type Env = Readonly<Record<string, string>>;

const POLICY = '.gitea/lazarus/policy.yml';

/** A computer with its own home; `typed` runs a line as a person's shell would. */
function computer(folder = projectFolder()) {
  const home = scratch('home');
  const bin = scratch('bin');
  writeFileSync(join(bin, 'lazarus'), `#!/bin/sh\nexec ${process.execPath} ${CLI_MAIN} "$@"\n`);
  chmodSync(join(bin, 'lazarus'), 0o755);
  const run = (args: readonly string[], env: Env = {}): Promise<Ran> =>
    lazarus(args, { cwd: folder, env: { HOME: home, ...env } });
  const look = async (args: readonly string[] = [], env: Env = {}): Promise<Told & { code: number | null }> => {
    const { code, stdout, stderr } = await run(['doctor', '--json', ...args], env);
    expect(stderr).toBe('');
    return { code, ...(JSON.parse(stdout) as Told) };
  };
  const typed = (line: string, input = '') => {
    const env = { ...process.env, HOME: home, PATH: `${bin}:${process.env['PATH']}`, GIT_CONFIG_NOSYSTEM: '1', ...GIT };
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, env, input, encoding: 'utf8' });
    expect({ line, status, stderr }).toMatchObject({ status: 0 });
  };
  const policy = (edit: (text: string) => string): void => {
    const path = join(folder, POLICY);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    git(folder, ['commit', '-q', '-am', 'policy']);
  };
  return { folder, home, run, look, typed, policy };
}

const GIT = {
  GIT_AUTHOR_NAME: 'uma',
  GIT_AUTHOR_EMAIL: 'uma@example.invalid',
  GIT_COMMITTER_NAME: 'uma',
  GIT_COMMITTER_EMAIL: 'uma@example.invalid',
};

async function settled(folder?: string) {
  const made = computer(folder);
  const { code, stderr } = await made.run(['init', '--name', 'uma', '--unprotected', '--commit']);
  expect(code, stderr).toBe(0);
  return made;
}

const missingIn = ({ findings }: Told): readonly string[] =>
  findings.filter(({ is }) => is === 'missing').map(({ title }) => title);
const about = ({ findings }: Told, title: string): Found | undefined => findings.find((one) => one.title === title);

it('finds everything after `init`, in one screen, and exits 0', async () => {
  const { run, look } = await settled();
  const told = await look();
  expect({ code: told.code, ready: told.ready, missing: missingIn(told) }).toEqual({
    code: 0,
    ready: true,
    missing: [],
  });
  const { stdout } = await run(['doctor']);
  expect(stdout.split('\n').length).toBeLessThan(24);
  expect(stdout).toMatch(/^ok +node: .*\n[^]*\nok +listener of cells: seen from inside of a cell\n[^]*is ready\.\n$/);
});

it('names what is missing in an empty repository, and the printed line makes all of it', async () => {
  const { look, typed } = computer();
  const told = await look();
  expect(told).toMatchObject({ code: 8, ready: false });
  expect(missingIn(told)).toEqual(['roster', 'your key', 'policy']);
  const { next } = about(told, 'roster')!;
  expect(next).toBe('lazarus init --name <you>');
  typed(`${next!.replace('<you>', 'uma')} --unprotected`);
  typed(about(await look(), 'policy')!.next!);
  expect(await look()).toMatchObject({ code: 0, ready: true });
});

it('works outside of any repository', async () => {
  const told = await computer(scratch('nowhere')).look();
  expect(told.code).toBe(8);
  expect(about(told, 'repository')).toMatchObject({ is: 'missing', next: 'git init' });
  expect(about(told, 'cells')).toMatchObject({ is: 'ok' });
});

it('sees in a fresh clone that the ledger is on the remote, and the printed line brings it here', async () => {
  const { folder } = await settled();
  const clone = join(scratch('clone'), 'project');
  git(folder, ['clone', '-q', folder, clone]);
  const other = computer(clone);
  const told = await other.look();
  expect(about(told, 'roster')).toMatchObject({ is: 'missing', next: 'lazarus ledger pull origin' });
  other.typed('lazarus ledger pull origin');
  const after = await other.look();
  expect(about(after, 'roster')?.is).toBe('ok');
  expect(about(after, 'your key')).toMatchObject({ is: 'missing', next: 'lazarus keys new <you>' });
});

it('tells a policy that drifted from one in force, and the printed line puts it in force', async () => {
  const { look, typed, policy } = await settled();
  policy((text) => text.replace('budget_minutes_max: 120', 'budget_minutes_max: 60'));
  const told = await look();
  expect(about(told, 'policy')).toMatchObject({ is: 'missing', says: expect.stringContaining('drifted') });
  expect(about(told, 'policy')!.next).toBe('lazarus policy adopt');
  typed('lazarus policy adopt --yes');
  expect(await look()).toMatchObject({ code: 0 });
});

it('says the line of a policy that cannot be read, and still looks at the rest', async () => {
  const { look, policy } = await settled();
  policy((text) => text.replace('answer: allow', 'answer: maybe'));
  const told = await look();
  expect(told.code).toBe(8);
  expect(about(told, 'policy')).toMatchObject({ says: expect.stringMatching(/policy_unreadable: \S+ line \d+:\d+: /) });
  expect(missingIn(told)).toEqual(['policy']);
});

it('misses git, and says so where nothing else can be told without it', async () => {
  const { folder, home } = await settled();
  const { status, stdout } = runWithout('git', ['doctor', '--json'], { cwd: folder, home });
  const told = JSON.parse(stdout) as Told;
  expect(status).toBe(8);
  expect(about(told, 'git')).toMatchObject({ is: 'missing', next: 'apt install git' });
  expect(told.findings.map(({ item }) => item)).not.toContain('roster');
});

it('misses bubblewrap', async () => {
  const { folder, home } = await settled();
  const { status, stdout } = runWithout('bwrap', ['doctor', '--json'], { cwd: folder, home });
  expect(status).toBe(8);
  expect(about(JSON.parse(stdout) as Told, 'cells')).toMatchObject({ is: 'missing', next: 'apt install bubblewrap' });
});

it('misses the key of a route, wherever its reference leads, and shows none', async () => {
  const { look, typed, policy, home } = await settled();
  const file = join(home, 'provider.key');
  mkdirSync(dirname(file), { recursive: true });
  const route = (name: string, key: string): string =>
    `  ${name}: { origin: https://api.example.com, key: "${key}", allow: [POST /v1/responses] }\n`;
  policy(
    (text) =>
      text.replace('agents:\n', 'agents:\n  solver: { command: [/bin/true], routes: [kept, filed, handed] }\n') +
      `routes:\n${route('kept', 'vault:openai')}${route('filed', `file:${file}`)}${route('handed', 'env:SOME_KEY')}`,
  );
  typed('lazarus policy adopt --yes');
  const told = await look();
  expect(missingIn(told)).toEqual(['route kept', 'route filed', 'route handed']);
  expect(about(told, 'route kept')!.next).toBe('lazarus vault set openai');
  expect(about(told, 'route handed')!.next).toBe('read -rs SOME_KEY; export SOME_KEY');
  const key = 'sk-canary-0123456789';
  typed(`${about(told, 'route kept')!.next} --from-stdin`, key);
  typed(`printf ${key} | ${about(told, 'route filed')!.next!}`);
  const after = await look([], { SOME_KEY: key });
  expect(after).toMatchObject({ code: 0, ready: true });
  expect(JSON.stringify(after)).not.toContain('canary');
  chmodSync(file, 0o644);
  const exposed = await look([], { SOME_KEY: key });
  expect(about(exposed, 'route filed')).toMatchObject({ is: 'missing', next: `chmod 600 ${file}` });
  typed(about(exposed, 'route filed')!.next!);
  expect(await look([], { SOME_KEY: key })).toMatchObject({ code: 0 });
});
