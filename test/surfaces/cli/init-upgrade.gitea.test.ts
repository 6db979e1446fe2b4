// A real Gitea that an earlier lazarus set up: the same command by this one brings it up to date, what people changed stays
// theirs, and the form still gets its plan. The earlier one is the built program with other texts, version, rules and action.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { defaultBranchRule, LEDGER_RULE, WORK_RULE } from '../../../src/app/init/forge/rules.ts';
import { VERSION } from '../../../src/version.ts';
import { alteredProgram } from '../../support/altered-program.ts';
import { lazarus, type Ran } from '../../support/cli.ts';
import { FILLED } from '../../support/form-body.ts';
import { fileForm, signIn } from '../../support/gitea/browser.ts';
import { PROJECT } from '../../support/gitea/project-folder.ts';
import { startRunner, type Runner } from '../../support/gitea/runner.ts';
import { startGitea, type Gitea } from '../../support/gitea/server.ts';
import { scratch } from '../../support/repos.ts';
import { ok } from '../../support/workshop.ts';

type User = Awaited<ReturnType<Gitea['createUser']>>;
type Told = {
  items: { item: string; is: string; says: string; next?: string; difference?: string[] }[];
  next: string[];
};

const FORM = '.gitea/ISSUE_TEMPLATE/mission.yaml';
const GATE = '.gitea/workflows/lazarus-gate.yaml';
const POLICY = '.gitea/lazarus/policy.yml';

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

it('is brought up to date by the same command; what people changed survives, and a form gets its plan', async () => {
  const { at, folder, api, there } = await repository('app');
  const earlier = alteredProgram(
    [
      [`VERSION="${VERSION}"`, 'VERSION="0.0.9"'],
      ['Ask lazarus to do a bounded piece of work', 'Ask lazarus for a piece of work'],
      ["# A caller's block does not reach", '# The block of a caller does not reach'],
      ['WORKFLOWS=[".gitea/**",".github/**"]', 'WORKFLOWS=[".gitea/**"]'],
      [
        'pushers:people,mergers:people,requiresSignatures:!1,protectedFiles:[]',
        'pushers:"writers",mergers:"writers",requiresSignatures:!1,protectedFiles:[".gitea/**"]',
      ],
    ],
    'an earlier build',
  );
  await ok(at(['init', ...forgeOptions('app'), '--name', 'uma'], earlier));
  // That one had no rule for branches of work, and fewer labels.
  await api('DELETE', '/repos/uma/app/branch_protections/lazarus-work%2F**');
  const [label] = await api('GET', '/repos/uma/app/labels');
  await api('DELETE', `/repos/uma/app/labels/${label.id}`);
  await addVic(at, folder);

  // People made the form and the policy their own; the earlier rule took an administrator to let them.
  const rule = await api('GET', '/repos/uma/app/branch_protections/main');
  await api('PATCH', '/repos/uma/app/branch_protections/main', { protected_file_patterns: '' });
  git(folder, ['pull', '-q'], uma);
  cpSync(join(PROJECT.pathname, 'templates/example/tools'), join(folder, 'tools'), { recursive: true });
  edit(folder, FORM, 'name: "Mission proposal"', 'name: "Ask the robot"');
  edit(folder, POLICY, 'tier_floor: 0', 'tier_floor: 0 # ours');
  git(folder, ['add', '.']);
  git(folder, [...WHO, 'commit', '-qm', 'our own words, and the agent']);
  git(folder, ['push', '-q', 'origin', 'HEAD'], uma);
  await api('PATCH', '/repos/uma/app/branch_protections/main', {
    protected_file_patterns: rule.protected_file_patterns,
  });
  await ok(at(['policy', 'adopt', '--yes']));
  const before = { form: await there(FORM), policy: await there(POLICY), gate: await there(GATE) };
  expect(before.gate).toContain('# Written by lazarus 0.0.9 ');
  const runs = async (): Promise<number> => (await api('GET', '/repos/uma/app/actions/runs?limit=1')).total_count;

  const seen = await setUpFindings(at);
  expect(seen[0]).toMatchObject({
    is: 'warn',
    says: expect.stringMatching(new RegExp(`^by lazarus 0\\.0\\.9, and this is ${VERSION}: .*lazarus-gate`)),
    next: `lazarus init --forge ${gitea.url} --repo uma/app`,
  });
  expect(seen[1]).toMatchObject({ is: 'warn', says: expect.stringContaining(`people changed ${FORM}`) });

  const dry = await told(at(['init', ...forgeOptions('app'), '--dry-run', '--json']), 8);
  const would = Object.fromEntries(dry.items.map(({ item, is }) => [item, is]));
  expect(would).toEqual({
    ...Object.fromEntries(dry.items.map(({ item }) => [item, 'already there'])),
    action: 'would',
    branch_files: 'would',
    changed_files: 'differs',
    labels: 'would',
    ledger_rule: 'would',
    branch_rule: 'would',
    work_rule: 'would',
  });
  expect(await there(GATE)).toBe(before.gate);

  const upgraded = await told(at(['init', ...forgeOptions('app'), '--json']), 8);
  const item = (name: string) => upgraded.items.find((one) => one.item === name)!;
  expect(item('branch_files')).toMatchObject({
    is: 'done',
    says: expect.stringContaining('up to now by lazarus 0.0.9'),
  });
  expect(item('labels')).toMatchObject({ is: 'done' });
  expect(item('changed_files').difference).toEqual(
    expect.arrayContaining(['-name: "Ask the robot"', '+name: "Mission proposal"']),
  );
  const [line] = upgraded.next;
  expect(line).toBe(`lazarus init --forge ${gitea.url} --repo uma/app --overwrite ${FORM}`);

  expect({ form: await there(FORM), policy: await there(POLICY) }).toEqual({
    form: before.form,
    policy: before.policy,
  });
  const gate = await there(GATE);
  expect(gate).toContain(`# Written by lazarus ${VERSION} `);
  expect(gate).toContain("# A caller's block does not reach");
  const pinned = (text: string): string => /lazarus-action@([0-9a-f]{40})/.exec(text)![1]!;
  expect(pinned(gate)).not.toBe(pinned(before.gate));
  const forge = createGitea({ url: gitea.url, token: uma.token }).repository({ owner: 'uma', name: 'app' });
  const rules = await forge.rules();
  for (const wanted of [LEDGER_RULE, WORK_RULE, defaultBranchRule('main', ['uma'])])
    expect(rules).toContainEqual(wanted);
  expect(await setUpFindings(at)).toMatchObject([{ says: expect.stringContaining(`people changed ${FORM}`) }]);

  // Nothing is left to do but what is theirs.
  const again = await told(at(['init', ...forgeOptions('app'), '--dry-run', '--json']), 8);
  expect(again.items.filter(({ is }) => is !== 'already there').map((one) => one.item)).toEqual(['changed_files']);

  const issue = await fileForm(
    gitea,
    { repository: 'uma/app', cookie: await signIn(gitea, vic) },
    { ...FILLED, target: 'uma/app', goal: 'Greet people', acceptance: 'true', verify: 'true', paths: 'src/**' },
  );
  expect(await answerTo(issue, api)).toMatch(/^\/approve [0-9a-f]{12}/m);
  expect(await runs()).toBeGreaterThan(0);

  await ok(at(line!.split(' ').slice(1)));
  expect(await there(FORM)).toContain('name: "Mission proposal"');
  expect(await there(POLICY)).toBe(before.policy);
  expect(await setUpFindings(at)).toMatchObject([{ is: 'ok', says: `as lazarus ${VERSION} writes it` }]);
});

it('overwrites nothing that is people’s to write', async () => {
  const { at } = await repository('mine');
  for (const args of [
    [...forgeOptions('mine'), '--overwrite', POLICY],
    [...forgeOptions('mine'), '--overwrite', 'README.md'],
    ['--overwrite', FORM],
  ])
    expect(await at(['init', '--name', 'uma', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^usage: .*overwrite/m),
    });
});

const WHO = ['-c', 'user.name=uma', '-c', 'user.email=uma@example.org'];

async function repository(name: string) {
  await gitea.createRepository(uma, name);
  const [folder, home] = [scratch('clone'), scratch('home')];
  git(folder, ['clone', '-q', `${gitea.url}/uma/${name}.git`, '.'], uma);
  const env = {
    HOME: home,
    LAZARUS_PASSPHRASE: 'correct horse',
    LAZARUS_TOKEN: uma.token,
    LAZARUS_TOKEN_ORIGIN: gitea.url,
  };
  const at = (args: readonly string[], script?: string): Promise<Ran> =>
    lazarus(args, { cwd: folder, env, ...(script === undefined ? {} : { script }) });
  const api = gitea.as(uma);
  const there = async (path: string): Promise<string> =>
    Buffer.from((await api('GET', `/repos/uma/${name}/contents/${path}`)).content, 'base64').toString();
  return { at, folder, api, there };
}

type At = Awaited<ReturnType<typeof repository>>['at'];

/** Somebody who may agree: without one nothing could be planned. */
async function addVic(at: At, folder: string): Promise<void> {
  const own = { cwd: folder, env: { HOME: scratch('vic'), LAZARUS_PASSPHRASE: 'correct horse' } };
  await ok(lazarus(['keys', 'new', 'vic'], own));
  const exported = join(scratch('post'), 'vic.asc');
  await ok(lazarus(['keys', 'export', 'vic', '-o', exported], own));
  const other = await ok(lazarus(['keys', 'new', 'wes'], own));
  expect(other.stdout).toContain('to encrypt to');
  const wes = join(scratch('post'), 'wes.asc');
  await ok(lazarus(['keys', 'export', 'wes', '-o', wes], own));
  const account = ['--forge-user', 'vic', '--forge', gitea.url];
  await ok(at(['roster', 'add', exported, '--roles', 'person', ...account, '--remote', 'origin']));
  await ok(at(['roster', 'add', wes, '--roles', 'person', '--remote', 'origin']));
}

async function setUpFindings(at: At) {
  const { stdout } = await at(['doctor', '--forge', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: { item: string; is: string; says: string; next?: string }[] };
  return findings.filter(({ item }) => item === 'set_up');
}

/** What the gate answers: the status comment, or whatever it says instead. */
async function answerTo(issue: number, api: ReturnType<Gitea['as']>): Promise<string> {
  for (;;) {
    const comments: { body: string }[] = await api('GET', `/repos/uma/app/issues/${issue}/comments`);
    if (comments.length > 0) return comments[0]!.body;
    const { workflow_runs: runs } = await api('GET', '/repos/uma/app/actions/runs?limit=5');
    const over = runs.find(
      (one: { status: string; conclusion: string }) => one.status === 'completed' && one.conclusion !== 'success',
    );
    if (over !== undefined) throw new Error(`the gate did not answer: ${runner.log()}`);
    await pause(100);
  }
}

function edit(folder: string, path: string, own: string, theirs: string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  expect(text).toContain(own);
  writeFileSync(join(folder, path), text.replace(own, theirs));
}

function forgeOptions(name: string): readonly string[] {
  return ['--forge', gitea.url, '--repo', `uma/${name}`];
}

async function told(running: Promise<Ran>, code: number): Promise<Told> {
  const ran = await running;
  expect(ran.code, ran.stderr).toBe(code);
  return JSON.parse(ran.stdout) as Told;
}

function git(cwd: string, args: readonly string[], user?: User): string {
  const login = user === undefined ? [] : ['-c', `http.extraHeader=Authorization: token ${user.token}`];
  return execFileSync('git', [...login, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}
