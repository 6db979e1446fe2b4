// `lazarus doctor` as it is typed, in places where something is really missing: what it says, its exit code, and that the line
// it prints, typed as printed, puts it right.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { projectFolder } from '../../support/founding.ts';
import { runWithout } from '../../support/lacking.ts';
import { startModel } from '../../support/models/endpoint.ts';
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
  const { next } = about(after, 'your key')!;
  expect(next).toBe('lazarus keys new <you>');
  other.typed(`${next!.replace('<you>', 'bo')} --unprotected`);
  expect(about(await other.look(), 'your key')).toMatchObject({
    is: 'missing',
    says: expect.stringMatching(/of bo is not on the roster$/),
    next: expect.stringContaining('lazarus roster add bo.asc --type user --roles person'),
  });
});

it('tells a key that the roster has ended from one that nobody put there', async () => {
  const { folder, typed } = await settled();
  const clone = join(scratch('clone'), 'project');
  git(folder, ['clone', '-q', folder, clone]);
  const [old, newer] = [computer(clone), computer(clone)];
  old.typed('lazarus keys new bo --unprotected && lazarus keys export bo -o bo.asc');
  newer.typed('lazarus keys new bo --unprotected && lazarus keys export bo -o bo-2.asc');
  typed(`lazarus roster add ${clone}/bo.asc --type user --roles person --key uma`);
  typed(`lazarus roster rotate ${clone}/bo-2.asc --key uma`);
  old.typed('lazarus ledger pull origin');
  // Of somebody who is on the roster, `roster add` would be refused.
  expect(about(await old.look(), 'your key')).toMatchObject({
    is: 'missing',
    says: expect.stringMatching(/of bo is ended by the roster/),
    next: expect.stringMatching(/^lazarus keys import .* lazarus roster rotate /),
  });
  old.typed(`HOME=${newer.home} lazarus keys export bo --private -o bo.private.asc`);
  old.typed('lazarus keys import bo.private.asc --unprotected');
  expect(about(await old.look(), 'your key')).toMatchObject({ is: 'ok' });
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

it('misses the toolchain of an environment and a file that it is prepared from', async () => {
  const { folder, look, typed, policy } = await settled();
  const tools = join(scratch('opt'), 'node');
  policy(
    (text) =>
      `${text}environment:\n  npm: { tools: [${tools}], files: [package-lock.json], prepare: [[/bin/true]], makes: [node_modules] }\n`,
  );
  typed('lazarus policy adopt --yes');
  expect(about(await look(), 'environment npm')).toMatchObject({
    is: 'missing',
    says: `${tools} is not on this machine`,
  });
  mkdirSync(tools);
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const told = await look();
  expect(about(told, 'environment npm')).toMatchObject({ is: 'missing', says: 'package-lock.json is not committed' });
  typed(about(told, 'environment npm')!.next!.replace('git commit', 'git commit -q -m lock'));
  const after = await look();
  expect(about(after, 'environment npm')).toMatchObject({
    is: 'ok',
    says: expect.stringContaining('not prepared yet'),
  });
  expect(after.code).toBe(0);
});

it('misses a program that an agent starts, where cells find programs and not where this shell does', async () => {
  const { look, typed, policy, home } = await settled();
  writeFileSync(join(home, 'solver-of-nobody'), '#!/bin/sh\n');
  chmodSync(join(home, 'solver-of-nobody'), 0o755);
  policy((text) => text.replace('agents:\n', 'agents:\n  solver: [solver-of-nobody]\n  here: [git]\n'));
  typed('lazarus policy adopt --yes');
  const told = await look([], { PATH: `${home}:${process.env['PATH']}` });
  expect(about(told, 'agent solver')).toMatchObject({
    is: 'missing',
    says: expect.stringContaining('solver-of-nobody'),
  });
  expect(about(told, 'agent here')).toMatchObject({ is: 'ok' });
});

it('makes one call when it is asked to, which costs nothing and shows whether the key is taken', async () => {
  const key = 'sk-canary-0123456789';
  const model = await startModel({ key, script: [] });
  onTestFinished(model.close);
  const { look, typed, policy } = await settled();
  const route = `{ origin: '${model.origin}', range: 127.0.0.0/8, key: env:MODEL_KEY, allow: [POST /v1/responses] }`;
  policy(
    (text) =>
      `${text.replace('agents:\n', 'agents:\n  asking: { command: [/bin/true], routes: [model] }\n')}routes:\n  model: ${route}\n`,
  );
  typed('lazarus policy adopt --yes');
  await look([], { MODEL_KEY: key });
  expect(model.asked).toEqual([]);
  const taken = await look(['--ask', 'asking'], { MODEL_KEY: key });
  expect(about(taken, 'call of asking')).toMatchObject({
    is: 'ok',
    says: expect.stringContaining('it takes env:MODEL_KEY'),
  });
  expect(taken.code).toBe(0);
  expect(model.asked).toMatchObject([{ key: 'right', path: '/v1/responses', turn: null }]);
  const refused = await look(['--ask', 'asking'], { MODEL_KEY: `${key}-wrong` });
  expect(about(refused, 'call of asking')).toMatchObject({ is: 'missing', says: expect.stringContaining('401') });
  expect(refused.code).toBe(8);
  expect(JSON.stringify([taken, refused])).not.toContain('canary');
  const unknown = await look(['--ask', 'nobody'], { MODEL_KEY: key });
  expect(about(unknown, 'call of nobody')).toMatchObject({ is: 'missing', next: 'lazarus policy add-agent nobody' });
});

it('opens a key with the passphrase that is in the environment, and says when it does not', async () => {
  const { run, look } = computer();
  const right = { LAZARUS_PASSPHRASE: 'correct horse' };
  expect((await run(['init', '--name', 'uma', '--commit'], right)).code).toBe(0);
  expect(about(await look([], right), 'your key')).toMatchObject({ is: 'ok' });
  expect(await look()).toMatchObject({
    code: 0,
    findings: expect.arrayContaining([expect.objectContaining({ title: 'your key', is: 'warn' })]),
  });
  const wrong = await look([], { LAZARUS_PASSPHRASE: 'wrong horse' });
  expect(about(wrong, 'your key')).toMatchObject({ is: 'missing', says: expect.stringContaining('passphrase_wrong') });
  expect(JSON.stringify(wrong)).not.toContain('horse');
});

it('says on a runner which keys every writer of the repository could read', async () => {
  const { look } = await settled();
  const told = await look([], { GITEA_ACTIONS: 'true', LAZARUS_WRITER_KEY: 'canary' });
  expect(about(told, 'keys of this runner')).toMatchObject({
    is: 'warn',
    says: expect.stringMatching(
      /^exposed: repository writers \(LAZARUS_WRITER_KEY, the key of uma, the key of uma-machine\)$/,
    ),
  });
  expect(about(told, 'key of this computer')).toMatchObject({ is: 'ok', says: expect.stringContaining('runner') });
  expect(JSON.stringify(told)).not.toContain('canary');
});

it('prints no line that would do what somebody wrote into a file name', async () => {
  const { folder, look, typed, policy } = await settled();
  const path = "a'; touch pwned; echo 'b";
  policy(
    (text) =>
      `${text}environment:\n  npm: { files: [${JSON.stringify(path)}], prepare: [[/bin/true]], makes: [made] }\n`,
  );
  const { next } = about(await look(), 'environment npm')!;
  writeFileSync(join(folder, path), '');
  typed(next!.replace('git commit', 'git commit -q -m odd'));
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
  expect(about(await look(), 'environment npm')).toMatchObject({ is: 'ok' });
});

it('says for whom what cells print is kept, and where it is nobody, the line that makes it somebody', async () => {
  const { look, typed, policy } = await settled();
  expect(about(await look(), 'what cells print')).toMatchObject({ is: 'ok', says: 'kept for uma' });
  typed('lazarus roster set uma --encrypt-to none --yes');
  const nobody = about(await look(), 'what cells print');
  expect(nobody).toMatchObject({ is: 'warn', says: expect.stringContaining('nobody on the roster') });
  typed(`${nobody!.next!} --yes`);
  expect(about(await look(), 'what cells print')).toMatchObject({ is: 'ok', says: 'kept for uma' });
  policy((text) => `${text}output: {keep: digest}\n`);
  expect(about(await look(), 'what cells print')).toMatchObject({ is: 'ok', says: expect.stringContaining('digest') });
});
