// `lazarus doctor` in a clone of a repository on a real Gitea: what a token may do there, and that it goes nowhere else.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

async function forge(env: Readonly<Record<string, string>>, folder = clone()) {
  const { stdout } = await lazarus(['doctor', '--json'], { cwd: folder, env: { HOME: scratch('home'), ...env } });
  expect(stdout).not.toContain(env['LAZARUS_TOKEN'] ?? 'no token');
  const { findings } = JSON.parse(stdout) as { findings: { item: string; is: string; says: string; next?: string }[] };
  return findings.filter(({ item }) => item === 'forge');
}

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
