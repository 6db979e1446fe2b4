// An administrator sets a real Gitea up by the commands that help prints: init, a runner's key, a second person. Then
// somebody files the form, and the gate answers: nothing else was done by hand.
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alteredProgram } from '../../support/altered-program.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { lazarus, type Ran } from '../../support/cli.ts';
import { FILLED } from '../../support/form-body.ts';
import { fileForm, signIn } from '../../support/gitea/browser.ts';
import { ordinaryUser } from '../../support/gitea/ordinary-user.ts';
import { startRunner, type Runner } from '../../support/gitea/runner.ts';
import { startGitea, type Gitea } from '../../support/gitea/server.ts';
import { scratch } from '../../support/repos.ts';
import { json, ok } from '../../support/workshop.ts';

type User = Awaited<ReturnType<Gitea['createUser']>>;

let gitea: Gitea;
let runner: Runner;
let uma: User;
let vic: User;

beforeAll(async () => {
  gitea = await startGitea();
  [uma, vic] = [await gitea.createUser('uma'), await gitea.createUser('vic')];
  runner = await startRunner(gitea);
});
afterAll(async () => {
  await runner?.stop();
  await gitea?.stop();
});

describe('lazarus init --forge', () => {
  it('makes a fresh Gitea answer the first mission that somebody proposes', async () => {
    const { at, folder } = await administrator('app');
    bringAgent(folder);
    const first = await json<{ next: string[]; policy: unknown }>(
      at('init', ...forgeOptions('app'), '--name', 'uma', '--json'),
    );
    expect(first).toMatchObject({ next: [], policy: { revision: 1 } });

    const machine = (...args: readonly string[]): Promise<Ran> => as(uma, runner.home)(folder, args);
    const { enrol } = await json<{ enrol: string }>(machine('keys', 'runner', 'build-1', '--json'));
    await ok(machine('keys', 'register', 'build-1', '--forge', gitea.url));
    giveToRunner(runner.home);
    await ok(at(...enrol.split(' ').slice(1), '--remote', 'origin'));

    const vicsHome = scratch('vic');
    const vics = (...args: readonly string[]): Promise<Ran> => as(vic, vicsHome)(folder, args);
    await ok(vics('keys', 'new', 'vic'));
    const exported = join(scratch('post'), 'vic.asc');
    await ok(vics('keys', 'export', 'vic', '-o', exported));
    const account = ['--forge-user', 'vic', '--forge', gitea.url];
    await ok(at('roster', 'add', exported, '--roles', 'person', ...account, '--remote', 'origin'));
    const { stdout } = await ok(at('roster', 'show'));
    expect(stdout).toContain(`forge user ${vic.id}`);
    expect(stdout).toContain(`forge user ${uma.id}`);

    const cookie = await signIn(gitea, vic);
    const goal = {
      ...FILLED,
      target: 'uma/app',
      goal: 'Greet people by their name',
      acceptance: 'true',
      verify: 'true',
      paths: 'src/**',
    };
    const issue = await fileForm(gitea, { repository: 'uma/app', cookie }, goal);
    const body = await statusOf('uma/app', issue);
    expect(body).toContain('Greet people by their name');
    expect(body).toMatch(/^\/approve [0-9a-f]{12}/m);
  });

  it('says what is left to do when somebody protected the ledgers otherwise, and exits with 8', async () => {
    const { at } = await administrator('loose');
    const loose = { rule_name: 'lazarus/**', enable_push: true };
    await gitea.as(uma)('POST', '/repos/uma/loose/branch_protections', loose);
    const ran = await at('init', ...forgeOptions('loose'), '--name', 'uma');
    expect({ code: ran.code, says: ran.stdout }).toMatchObject({
      code: 8,
      says: expect.stringMatching(/^Left to do:\n {2}change the rule for lazarus/),
    });
    expect(ran.stderr).toMatch(/differs +secret LAZARUS_GATE_KEY: not handed over/);
    expect(ran.stdout + ran.stderr).not.toContain(uma.token);
  });

  it('changes nothing with --dry-run', async () => {
    const { at, folder, home } = await administrator('dry');
    const { stdout } = await ok(at('init', ...forgeOptions('dry'), '--name', 'uma', '--dry-run'));
    expect(stdout).toContain('Nothing was changed');
    expect(readdirSync(home)).toEqual([]);
    expect(git(folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
    expect(await gitea.as(uma)('GET', '/repos/uma/dry/branch_protections')).toEqual([]);
  });

  it.each([
    ['run what somebody may change later', '@${commit}', '@main'],
    [
      'run a word of strangers',
      '          job: ${role}',
      '          job: ${role}\n          x: \\${{ github.event.issue.title }}',
    ],
    ['hold the secrets of every job', '\\${{ github.token }}', '\\${{ toJSON(secrets) }}'],
  ])('writes nothing at all where its own workflows were altered to %s', async (_, own, altered) => {
    const { folder, home } = await administrator('altered');
    const before = await gitea.as(uma)('GET', '/repos/uma/altered/branches');
    const env = { HOME: home, LAZARUS_PASSPHRASE: 'correct horse', LAZARUS_TOKEN: uma.token };
    const init = (script: string): Promise<Ran> =>
      lazarus(['init', ...forgeOptions('altered'), '--name', 'uma'], { cwd: folder, env, script });
    const ran = await init(alteredProgram([[own, altered]]));
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringMatching(/^workflow_unsafe: /m) });
    expect(ran.stderr).toContain('lazarus-');
    expect(ran.stderr).toContain('install lazarus again');
    expect(readdirSync(home)).toEqual([]);
    expect(git(folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
    expect(await gitea.as(uma)('GET', '/repos/uma/altered/branches')).toEqual(before);
    expect(await gitea.as(uma)('GET', '/repos/uma/altered/branch_protections')).toEqual([]);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['no repository named', ['--forge', 'URL'], {}, 'usage'],
    ['a repository that is not there', ['--forge', 'URL', '--repo', 'uma/nowhere'], {}, 'forge_not_found'],
    ['a repository without a commit', ['--forge', 'URL', '--repo', 'uma/empty'], {}, 'forge_repository_empty'],
    [
      'an account that is not there',
      ['--forge', 'URL', '--repo', 'uma/wrong', '--forge-user', 'zoe'],
      {},
      'forge_not_found',
    ],
    ['no token', ['--forge', 'URL', '--repo', 'uma/wrong'], { LAZARUS_TOKEN: '' }, 'authentication_needed'],
    [
      'a token that is for another server',
      ['--forge', 'URL', '--repo', 'uma/wrong'],
      { LAZARUS_TOKEN_ORIGIN: 'https://elsewhere.example' },
      'token_origin_needed',
    ],
    [
      'plain http to another machine',
      ['--forge', 'http://git.example.org', '--repo', 'uma/wrong'],
      {},
      'insecure_transport',
    ],
  ])('%s: nothing happens, and the reason is given', async (_, args, env, code) => {
    const { folder, home } = await administrator('wrong');
    if (args.includes('uma/empty'))
      await gitea.createRepository(uma, 'empty', { isEmpty: true }).catch(() => undefined);
    const typed = args.map((word) => (word === 'URL' ? gitea.url : word));
    const ran = await as(uma, home, env)(folder, ['init', ...typed, '--name', 'uma']);
    expect(ran.stderr).toMatch(new RegExp(`^${code}: `));
    expect(readdirSync(home)).toEqual([]);
    expect(git(folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
  });
});

async function administrator(name: string) {
  // Several tests may share a repository that none of them changes.
  await gitea.createRepository(uma, name).catch(() => undefined);
  const folder = scratch('clone');
  git(folder, ['clone', '-q', `${gitea.url}/uma/${name}.git`, '.'], uma);
  const home = scratch('home');
  return { folder, home, at: (...args: readonly string[]): Promise<Ran> => as(uma, home)(folder, args) };
}

/** The one that the policy names which `init` brings: a mission whose agent is not at its base gets no plan. */
function bringAgent(folder: string): void {
  const root = join(dirname(CLI_MAIN), '../../..');
  cpSync(join(root, 'templates/example/tools'), join(folder, 'tools'), { recursive: true });
  git(folder, ['add', 'tools']);
  git(folder, ['-c', 'user.name=uma', '-c', 'user.email=uma@example.org', 'commit', '-q', '-m', 'the agent']);
  git(folder, ['push', '-q', 'origin', 'HEAD'], uma);
}

function forgeOptions(name: string): readonly string[] {
  return ['--forge', gitea.url, '--repo', `uma/${name}`];
}

function as(user: User, home: string, env: Readonly<Record<string, string>> = {}) {
  const own = { HOME: home, LAZARUS_PASSPHRASE: 'correct horse', LAZARUS_TOKEN: user.token };
  return (folder: string, args: readonly string[]): Promise<Ran> =>
    lazarus(args, { cwd: folder, env: { ...own, LAZARUS_TOKEN_ORIGIN: gitea.url, ...env } });
}

/** What the runner's user would have made itself. */
function giveToRunner(home: string): void {
  const owner = ordinaryUser();
  if (owner === undefined) return;
  for (const path of [
    '.config',
    ...readdirSync(join(home, '.config'), { recursive: true, encoding: 'utf8' }).map((one) => join('.config', one)),
  ])
    chownSync(join(home, path), owner.uid, owner.gid);
}

/** The status comment, once the gate has written it. */
async function statusOf(repository: string, issue: number): Promise<string> {
  for (;;) {
    const comments: { body: string }[] = await gitea.as(uma)('GET', `/repos/${repository}/issues/${issue}/comments`);
    const status = comments.find(({ body }) => body.startsWith('<!-- lazarus:status'));
    if (status !== undefined) return status.body;
    const { workflow_runs: runs } = await gitea.as(uma)('GET', `/repos/${repository}/actions/runs?limit=5`);
    const over = runs.find(
      ({ status: is, conclusion }: { status: string; conclusion: string }) =>
        is === 'completed' && conclusion !== 'success',
    );
    // An answer that is no status, such as a refusal, is not followed by one.
    if (over !== undefined || comments.length > 0)
      throw new Error(`the gate did not answer: ${JSON.stringify(comments)} ${runner.log()}`);
    await pause(100);
  }
}

function git(cwd: string, args: readonly string[], user?: User): string {
  const login = user === undefined ? [] : ['-c', `http.extraHeader=Authorization: token ${user.token}`];
  return execFileSync('git', [...login, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}
