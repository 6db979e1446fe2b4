// An administrator takes a set-up off a real Gitea again: what it made goes, what people made or changed stays and is
// named, the record stays, and another set-up works.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { startGitea, type Gitea } from '../../support/gitea/server.ts';
import { scratch } from '../../support/repos.ts';
import { ok } from '../../support/workshop.ts';

type User = Awaited<ReturnType<Gitea['createUser']>>;
type Told = { items: { item: string; title: string; is: string; says: string }[]; stays: string[]; next: string[] };

const GATE = '.gitea/workflows/lazarus-gate.yaml';

let gitea: Gitea;
let uma: User;
let vic: User;

beforeAll(async () => {
  gitea = await startGitea();
  [uma, vic] = [await gitea.createUser('uma'), await gitea.createUser('vic')];
});
afterAll(async () => gitea?.stop());

it('takes back rules, files and secrets, leaves the record, and can be set up again', async () => {
  const { standing, init, remove, at, folder, before } = await setUpIn('app');
  const setUp = await standing();
  git(folder, ['push', '-q', 'origin', 'HEAD:refs/lazarus/open/m-0123456789ab'], uma);

  const dry = await ok(remove('--dry-run'));
  expect(dry.stderr).toContain('would          secret LAZARUS_GATE_KEY');
  expect(await standing()).toEqual(setUp);
  const unasked = await remove();
  expect(unasked).toMatchObject({ code: 4, stderr: expect.stringMatching(/^agreement_needed: /m) });
  expect(unasked.stderr).toContain('nobody moves them any more afterwards: m-0123456789ab');
  expect(await standing()).toEqual(setUp);

  const { stdout } = await ok(remove('--yes', '--json'));
  const told = JSON.parse(stdout) as Told & { open_missions: string[] };
  expect(new Set(told.items.map(({ is }) => is))).toEqual(new Set(['done']));
  expect(told).toMatchObject({ next: [], open_missions: ['m-0123456789ab'] });
  expect(await standing()).toEqual(before);
  await ok(at('verify', 'project'));
  expect((await ok(remove('--yes'))).stdout).toContain('nothing here that a set-up made');

  const keys = (await ok(at('roster', 'show', '--json'))).stdout;
  await ok(init());
  expect(await standing()).toEqual(setUp);
  const [old, now] = [keys, (await ok(at('roster', 'show', '--json'))).stdout].map(fingerprintsOf);
  // The secrets of the first set-up are gone for ever: nobody believes what was signed with them from here on.
  expect({ gate: now!['gate'] === old!['gate'], writer: now!['writer'] === old!['writer'] }).toEqual({
    gate: false,
    writer: false,
  });
  expect(now!['uma']).toEqual(old!['uma']);
  const again = await ok(init());
  expect(again.stderr).not.toMatch(/^(done|differs)/m);
});

it('leaves what people changed, and names it with its line', async () => {
  const { remove, standing, folder } = await setUpIn('changed');
  const api = gitea.as(uma);
  await api('PATCH', '/repos/uma/changed/branch_protections/main', { required_approvals: 1 });
  await api('PUT', '/repos/uma/changed/actions/secrets/LAZARUS_MODEL_KEY', { data: 'not to be shown' });
  git(folder, ['pull', '-q'], uma);
  execFileSync('sed', ['-i', 's/runs-on: .*/runs-on: ours/', GATE], { cwd: folder });
  const line = git(folder, ['grep', '-n', 'runs-on', '--', GATE]).split(':')[1]!;
  git(folder, ['-c', 'user.name=uma', '-c', 'user.email=uma@example.org', 'commit', '-qam', 'our runner']);
  git(folder, ['push', '-q', 'origin', 'HEAD'], uma);

  const ran = await remove('--yes', '--json');
  expect(ran.code, ran.stderr).toBe(8);
  const { items, stays } = JSON.parse(ran.stdout) as Told;
  const left = items.filter(({ is }) => is === 'differs');
  expect(left.map(({ title }) => title)).toEqual([GATE, 'rule for main']);
  expect(left.map(({ says }) => says)).toEqual([
    expect.stringContaining(`line ${line}`),
    expect.stringContaining('required_approvals is 1'),
  ]);
  expect(stays).toContain('secret LAZARUS_MODEL_KEY: init did not make it');
  const { files, rules, secrets } = await standing();
  expect({ files, secrets }).toEqual({ files: [GATE, 'README.md'], secrets: ['LAZARUS_MODEL_KEY'] });
  expect(Object.keys(rules)).toEqual(['main']);
});

it('waits with everything else while the files wait for somebody who may merge', async () => {
  const { remove, standing } = await setUpIn('waits');
  const api = gitea.as(uma);
  await api('PUT', '/repos/uma/waits/collaborators/vic', { permission: 'write' });
  const lists = { push_whitelist_usernames: ['vic'], merge_whitelist_usernames: ['vic'] };
  await api('PATCH', '/repos/uma/waits/branch_protections/main', lists);
  const before = await standing();
  for (let i = 0; i < 2; i++) {
    const ran = await remove('--yes');
    expect(ran.code, ran.stderr).toBe(8);
    expect(ran.stdout).toMatch(/merged by whoever may merge into main: .*\/pulls\/1/);
  }
  expect(await standing()).toEqual(before);
  await gitea.as(vic)('POST', '/repos/uma/waits/pulls/1/merge', { Do: 'merge' });
  const ran = await remove('--yes');
  expect(ran.code, ran.stderr).toBe(8);
  const { files, rules, secrets } = await standing();
  expect({ files, secrets }).toEqual({ files: ['README.md'], secrets: [] });
  expect(Object.keys(rules)).toEqual(['main']);
});

it('does nothing for somebody who may not, and says what they lack', async () => {
  const { standing, folder } = await setUpIn('rights');
  await gitea.as(uma)('PUT', '/repos/uma/rights/collaborators/vic', { permission: 'write' });
  const before = await standing();
  const ran = await as(vic, scratch('vic'))(folder, ['init', '--remove', '--yes', ...forgeOptions('rights')]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(/^forge_refused: /m) });
  expect(await standing()).toEqual(before);
});

it('needs to be told from where', async () => {
  const ran = await as(uma, scratch('home'))(scratch('nowhere'), ['init', '--remove']);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--forge or --hooks beside it') });
});

async function setUpIn(name: string) {
  await gitea.createRepository(uma, name);
  const folder = scratch('clone');
  git(folder, ['clone', '-q', `${gitea.url}/uma/${name}.git`, '.'], uma);
  const at = (...args: readonly string[]): Promise<Ran> => as(uma, home)(folder, args);
  const home = scratch('home');
  const init = (): Promise<Ran> => at('init', ...forgeOptions(name), '--name', 'uma');
  const remove = (...args: readonly string[]): Promise<Ran> => at('init', '--remove', ...forgeOptions(name), ...args);
  const standing = () => standingIn(name);
  const before = await standing();
  await ok(init());
  return { folder, at, init, remove, standing, before };
}

/** What a set-up brings to a repository, as its settings and its default branch show it. */
async function standingIn(name: string) {
  const api = gitea.as(uma);
  const rules: { rule_name: string; required_approvals: number }[] = await api(
    'GET',
    `/repos/uma/${name}/branch_protections`,
  );
  const secrets: { name: string }[] = (await api('GET', `/repos/uma/${name}/actions/secrets`)) ?? [];
  const { tree }: { tree: { path: string; type: string }[] } = await api(
    'GET',
    `/repos/uma/${name}/git/trees/main?recursive=true`,
  );
  return {
    rules: Object.fromEntries(rules.map((rule) => [rule.rule_name, rule.required_approvals])),
    secrets: secrets.map((one) => one.name).toSorted(),
    files: tree.filter(({ type }) => type === 'blob').map(({ path }) => path),
  };
}

function fingerprintsOf(shown: string): Readonly<Record<string, unknown>> {
  const { members } = (JSON.parse(shown) as { roster: { members: { principal_id: string; keys: unknown }[] } }).roster;
  return Object.fromEntries(members.map(({ principal_id, keys }) => [principal_id, JSON.stringify(keys)]));
}

function forgeOptions(name: string): readonly string[] {
  return ['--forge', gitea.url, '--repo', `uma/${name}`];
}

function as(user: User, home: string) {
  const env = { HOME: home, LAZARUS_PASSPHRASE: 'correct horse', LAZARUS_TOKEN: user.token };
  return (cwd: string, args: readonly string[]): Promise<Ran> =>
    lazarus(args, { cwd, env: { ...env, LAZARUS_TOKEN_ORIGIN: gitea.url } });
}

function git(cwd: string, args: readonly string[], user?: User): string {
  const login = user === undefined ? [] : ['-c', `http.extraHeader=Authorization: token ${user.token}`];
  return execFileSync('git', [...login, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}
