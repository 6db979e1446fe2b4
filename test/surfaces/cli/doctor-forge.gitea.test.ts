// `lazarus doctor` in a clone of a repository on a real Gitea: what a token may do there, and that it goes nowhere else.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { defaultBranchRule, LEDGER_RULE, WORK_RULE } from '../../../src/app/init/forge/rules.ts';
import { lazarus } from '../../support/cli.ts';
import { startGitea, type Gitea } from '../../support/gitea/server.ts';
import { git, scratch } from '../../support/repos.ts';

let gitea: Gitea;
let uma: Awaited<ReturnType<Gitea['createUser']>>;
let cloneUrl: string;

beforeAll(async () => {
  gitea = await startGitea();
  uma = await gitea.createUser('uma');
  ({ cloneUrl } = await gitea.createRepository(uma, 'app'));
});
afterAll(() => gitea?.stop());

function clone(): string {
  const at = scratch('clone');
  git(at, ['clone', '-q', cloneUrl, 'app']);
  return join(at, 'app');
}

async function found(item: string, env: Readonly<Record<string, string>>, folder = clone()) {
  const options = item === 'forge' ? [] : ['--forge'];
  const { stdout } = await lazarus(['doctor', ...options, '--json'], {
    cwd: folder,
    env: { HOME: scratch('home'), ...env },
  });
  expect(stdout).not.toContain(env['LAZARUS_TOKEN'] ?? 'no token');
  const { findings } = JSON.parse(stdout) as { findings: { item: string; is: string; says: string; next?: string }[] };
  return findings.filter((one) => one.item === item);
}

const forge = (env: Readonly<Record<string, string>>, folder?: string) => found('forge', env, folder);

const meant = (token: string) => ({ LAZARUS_TOKEN: token, LAZARUS_TOKEN_ORIGIN: gitea.url });

it('says version and person of a token that may do everything', async () => {
  expect(await forge(meant(uma.token))).toEqual([
    { item: 'forge', title: 'forge of origin', is: 'ok', says: `gitea 1.27.3 at ${gitea.url}, as uma` },
  ]);
});

it('says which scopes a token lacks', async () => {
  const token = await gitea.createToken(uma, ['write:repository', 'read:issue']);
  expect(await forge(meant(token))).toMatchObject([
    {
      is: 'warn',
      says: expect.stringMatching(/lacks write:issue, write:user,/),
      next: expect.stringContaining('/user/settings/applications'),
    },
  ]);
});

it('says that a token does not count, and that nobody answers', async () => {
  expect(await forge(meant('0'.repeat(40)))).toMatchObject([
    { is: 'warn', says: expect.stringContaining('authentication_needed') },
  ]);
  const folder = clone();
  git(folder, ['remote', 'add', 'gone', 'http://127.0.0.1:9/uma/app.git']);
  const found = await forge({ LAZARUS_TOKEN: uma.token, LAZARUS_TOKEN_ORIGIN: 'http://127.0.0.1:9' }, folder);
  expect(found).toMatchObject([{ is: 'ok' }, { is: 'warn', says: expect.stringContaining('forge_unreachable') }]);
});

it('asks nobody without a token that is meant for that server', async () => {
  const folder = clone();
  const before = gitea.requests().length;
  expect(await forge({}, folder)).toEqual([]);
  expect(await forge({ LAZARUS_TOKEN: uma.token }, folder)).toMatchObject([
    { is: 'warn', next: `export LAZARUS_TOKEN_ORIGIN=${gitea.url}` },
  ]);
  expect(
    await forge({ LAZARUS_TOKEN: uma.token, LAZARUS_TOKEN_ORIGIN: 'https://git.example.org' }, folder),
  ).toMatchObject([{ is: 'ok', says: expect.stringContaining('not asked') }]);
  expect(gitea.requests().slice(before)).toEqual([]);
});

it('says which branch rules are missing, and that they are there', async () => {
  const lacking = await found('rule', meant(uma.token));
  expect(lacking.map(({ is, says }) => `${is} ${says.split(':')[0]}`)).toEqual([
    'missing lazarus/**',
    'missing main',
    'missing lazarus-work/**',
  ]);
  expect(lacking[0]!.next).toBe(`lazarus init --forge ${gitea.url} --repo uma/app`);
  const there = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'uma', name: 'app' });
  for (const rule of [LEDGER_RULE, defaultBranchRule('main', ['uma']), WORK_RULE]) await there.ensureRule(rule);
  expect(await found('rule', meant(uma.token))).toMatchObject([
    {
      is: 'ok',
      says: 'lazarus/**, main, lazarus-work/**: jobs neither push to nor merge into main, nor rewrite ledgers or work, nor bring a workflow with it',
    },
  ]);
});

it('says what no rule prevents', async () => {
  const [open, ...others] = await found('beyond_rules', meant(uma.token));
  expect(others).toEqual([]);
  for (const part of ['can report any status of a commit', 'by a workflow on a branch of their own', 'reopens'])
    expect(open!.says).toContain(part);
});

it('says which secrets and runners a reopened pull request of lazarus reaches, by what the workflows there hand over', async () => {
  const name = 'reopened';
  const { cloneUrl: url } = await gitea.createRepository(uma, name);
  const at = join(scratch('clone'), name);
  git(scratch('x'), ['clone', '-q', url, at]);
  const said = () => found('reopened', meant(uma.token), at);
  const there = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'uma', name });
  await there.setSecret('DEPLOY_KEY', () => Promise.resolve('not to be shown'));
  // Without the rule work brings workflows of its own.
  expect(await said()).toMatchObject([
    {
      is: 'warn',
      says: expect.stringMatching(/^whatever comes with the work, on any runner, with every secret: DEPLOY_KEY$/),
    },
  ]);
  await there.ensureRule(WORK_RULE);
  expect(await said()).toMatchObject([{ is: 'ok', says: expect.stringContaining('nothing') }]);
  const commit = (path: string, text: string) =>
    there.commitFiles({
      branch: 'main',
      message: 'ci',
      files: [{ path: `.gitea/workflows/${path}`, content: new TextEncoder().encode(text) }],
    });
  const job = (more: string) =>
    `name: CI\non: [push, pull_request]\njobs:\n  test:\n${more}    steps: [{ run: make }]\n`;
  await commit('ci.yaml', job('    runs-on: ubuntu\n'));
  await commit('nightly.yaml', 'on: { schedule: [{ cron: "0 1 * * *" }] }\njobs: { x: { runs-on: big, steps: [] } }\n');
  expect(await said()).toMatchObject([{ is: 'ok', says: '.gitea/workflows/ci.yaml on ubuntu, with no secret' }]);
  await commit('ci.yaml', job('    runs-on: lazarus-cell\n    env: { KEY: "${{ secrets.DEPLOY_KEY }}" }\n'));
  const [warned] = await said();
  expect(warned).toMatchObject({
    is: 'warn',
    says: '.gitea/workflows/ci.yaml on lazarus-cell, with DEPLOY_KEY',
    next: expect.stringMatching(/take the secrets out of .*; give .* another runner/),
  });
  expect(JSON.stringify(warned)).not.toContain('not to be shown');
});

it('says whether runners take the jobs of missions, or that one waits for them', async () => {
  const name = 'runners';
  const { cloneUrl: url } = await gitea.createRepository(uma, name);
  const at = join(scratch('clone'), name);
  git(scratch('x'), ['clone', '-q', url, at]);
  const said = () => found('runners', meant(uma.token), at);
  expect(await said()).toMatchObject([
    { is: 'warn', says: 'lazarus-gate: the schedule has started no job yet' },
    { is: 'ok', says: 'lazarus-cell: no job of it was seen' },
  ]);
  const there = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'uma', name });
  const text = 'on: push\njobs: { x: { runs-on: lazarus-gate, steps: [{ run: "true" }] } }\n';
  await there.commitFiles({
    branch: 'main',
    message: 'ci',
    files: [{ path: '.gitea/workflows/ci.yaml', content: new TextEncoder().encode(text) }],
  });
  await expect.poll(async () => (await there.latestJobs()).length, { timeout: 30_000 }).toBe(1);
  expect(await there.latestJobs()).toMatchObject([{ is: 'queued', labels: ['lazarus-gate'], runner: undefined }]);
  expect(await said()).toMatchObject([{ is: 'ok' }, { is: 'ok' }]);
});

it('says that nothing of a set-up is there, or that nobody knows the project', async () => {
  expect(await found('set_up', meant(uma.token))).toEqual([]);
});

it('says which secrets of its jobs are there, and no value', async () => {
  expect(await found('secret', meant(uma.token))).toMatchObject([
    { is: 'missing', says: 'LAZARUS_GATE_KEY and LAZARUS_WRITER_KEY: not there' },
  ]);
  const there = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'uma', name: 'app' });
  for (const name of ['LAZARUS_GATE_KEY', 'LAZARUS_WRITER_KEY'])
    await there.setSecret(name, () => Promise.resolve('not to be shown'));
  const [said, ...others] = await found('secret', meant(uma.token));
  expect(others).toEqual([]);
  expect(said).toMatchObject({ is: 'ok', says: expect.stringContaining('LAZARUS_GATE_KEY, LAZARUS_WRITER_KEY') });
  expect(JSON.stringify(said)).not.toContain('not to be shown');
});

it('says which secrets an organisation gives to every repository, and that nobody tells where it is a person', async () => {
  const [own] = await found('secret', meant(uma.token));
  expect(own!.says).toContain('which secrets uma gives to every repository beside them is not told to this token');
  const as = gitea.as(uma);
  await as('POST', '/orgs', { username: 'guild' });
  await as('POST', '/orgs/guild/repos', { name: 'app', auto_init: true, default_branch: 'main' });
  await as('PUT', '/orgs/guild/actions/secrets/DEPLOY_EVERYWHERE', { data: 'not to be shown' });
  const there = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'guild', name: 'app' });
  for (const name of ['LAZARUS_GATE_KEY', 'LAZARUS_WRITER_KEY'])
    await there.setSecret(name, () => Promise.resolve('not to be shown'));
  const folder = scratch('clone');
  git(folder, ['clone', '-q', `${gitea.url}/guild/app.git`, '.']);
  const said = await found('secret', meant(uma.token), folder);
  expect(said).toMatchObject([
    { is: 'ok', says: expect.stringMatching(/; and those that guild gives to every repository: DEPLOY_EVERYWHERE$/) },
  ]);
  expect(await found('reopened', meant(uma.token), folder)).toMatchObject([
    { says: expect.stringMatching(/with every secret: DEPLOY_EVERYWHERE, LAZARUS_GATE_KEY, LAZARUS_WRITER_KEY$/) },
  ]);
  // Whoever may not see them learns that there may be some.
  const narrow = await gitea.createToken(uma, ['write:repository', 'write:issue', 'write:user']);
  const [unsaid] = await found('secret', meant(narrow), folder);
  expect(unsaid!.says).toContain('which secrets guild gives to every repository beside them is not told to this token');
});

it('says how far this machine’s clock is from the forge’s', async () => {
  expect(await found('clock', meant(uma.token))).toMatchObject([{ is: 'ok' }]);
  const late = `--import=data:text/javascript,Date.now=(now=>()=>now()-60000)(Date.now)`;
  expect(await found('clock', { ...meant(uma.token), NODE_OPTIONS: late })).toMatchObject([
    { is: 'warn', says: expect.stringMatching(/^(59|6\d) s behind http/), next: 'timedatectl set-ntp true' },
  ]);
});
