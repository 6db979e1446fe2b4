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
    { is: 'ok', says: 'lazarus/**, main, lazarus-work/**' },
  ]);
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

it('says how far this machine’s clock is from the forge’s', async () => {
  expect(await found('clock', meant(uma.token))).toMatchObject([{ is: 'ok' }]);
  const late = `--import=data:text/javascript,Date.now=(now=>()=>now()-60000)(Date.now)`;
  expect(await found('clock', { ...meant(uma.token), NODE_OPTIONS: late })).toMatchObject([
    { is: 'warn', says: expect.stringMatching(/^(59|6\d) s behind http/), next: 'timedatectl set-ntp true' },
  ]);
});
