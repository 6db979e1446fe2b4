// Between the commit of a changed policy and its adoption by the roots: missions go on under the one in force, whatever the
// base has; what only the new one would allow is told as that; and nobody can put another text in its place.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

const POLICY = '.gitea/lazarus/policy.yml';
type WithPolicy = Shown & { readonly plan: { readonly policy_revision: number } };

async function merged(from: string, to: string): Promise<Workshop> {
  const at = await workshop();
  onTestFinished(() => at.remove());
  const file = join(at.folder, POLICY);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  git(at.folder, ['commit', '-qam', 'another policy']);
  return at;
}

const MINUTES = ['budget_minutes_max: 120', 'budget_minutes_max: 240'] as const;
const LONG = { 'budget_minutes: 5': 'budget_minutes: 200', 'ttl_minutes: 15': 'ttl_minutes: 220' };

it('missions are planned, approved and done under the policy in force', async () => {
  const at = await merged(...MINUTES);
  const one = await at.propose();
  expect(await json<WithPolicy>(at.run(['status', one.mission, '--json']))).toMatchObject({
    plan: { policy_revision: 1 },
  });
  await at.approve(one);
  await ok(at.run(['run', one.mission]));
  expect((await at.show(one.mission)).state).toBe('done');
  await ok(at.run(['verify']));
});

it('what only the new one allows is refused with the step that helps, and that helps', async () => {
  const at = await merged(...MINUTES);
  const refused = await at.run(['propose', at.file(LONG), '--as', 'ana']);
  expect(refused).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^policy_not_in_force: [^]*next: lazarus policy adopt/),
  });
  const adopt = (digest: string) => at.run(['policy', 'adopt', digest, '--yes', '--key', 'ana']);
  // Whoever was told a digest adopts no other text by it.
  expect(await adopt('0'.repeat(12))).toMatchObject({ code: 5, stderr: expect.stringMatching(/^policy_not_meant: /) });
  expect(await adopt('0')).toMatchObject({ code: 2 });
  const { policy } = await json<{ policy: string }>(at.run(['policy', 'check', '--json']));
  await ok(adopt(policy.slice('sha256:'.length, 'sha256:'.length + 12)));
  await at.propose(LONG);
});

it('a plan made under the old one is asked about again once the new one is adopted', async () => {
  const at = await merged(...MINUTES);
  const one = await at.propose();
  await at.approve(one);
  await ok(at.run(['policy', 'adopt', '--yes', '--key', 'ana']));
  const ran = await at.run(['run', one.mission]);
  expect(ran.stderr).toContain('policy_drifted: Policy has changed since the plan was computed.\nplanning\n');
  // No attempt was spent on it.
  expect(await at.show(one.mission)).toMatchObject({ state: 'awaiting', attempt: { no: 1 } });
});

it('a text that somebody put in its place counts for nothing', async () => {
  const at = await merged('answer: allow', 'answer: deny');
  const names = git(at.folder, ['ls-tree', '--name-only', 'refs/lazarus/rules']).trim().split('\n');
  expect(names).toHaveLength(2);
  // Under the names of what was adopted, the bytes that nobody adopted.
  const other = git(at.folder, ['rev-parse', `HEAD:${POLICY}`]).trim();
  const input = names.map((name) => `100644 blob ${other}\t${name}\n`).join('');
  const tree = execFileSync('git', ['mktree'], { cwd: at.folder, input, encoding: 'utf8' }).trim();
  const commit = git(at.folder, ['commit-tree', tree, '-m', 'other']).trim();
  git(at.folder, ['update-ref', 'refs/lazarus/rules', commit]);
  expect(await at.run(['propose', at.file(), '--as', 'ana'])).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^policy_not_in_force: /),
  });
});

it('is adopted in an ordinary clone where the project lives, and nowhere before the clone was introduced', async () => {
  const at = await workshop();
  onTestFinished(() => at.remove());
  const server = join(at.home, 'server.git');
  git(at.folder, ['init', '-q', '--bare', '-b', 'main', server]);
  git(at.folder, ['push', '-q', server, 'main']);
  await ok(at.run(['ledger', 'push', server]));
  const clone = join(at.home, 'clone');
  git(at.folder, ['clone', '-q', server, clone]);
  const type = (...args: readonly string[]) => at.run(args, { cwd: clone });
  const there = (): string => git(clone, ['ls-remote', server, 'refs/heads/lazarus/project']);
  const file = join(clone, POLICY);
  writeFileSync(file, readFileSync(file, 'utf8').replace(...MINUTES));
  git(clone, ['-c', 'user.name=ana', '-c', 'user.email=ana@example.org', 'commit', '-qam', 'another policy']);
  const { policy } = await json<{ policy: string }>(type('policy', 'check', '--json'));
  const adopt = () => type('policy', 'adopt', policy.slice('sha256:'.length).slice(0, 12), '--yes', '--key', 'ana');

  const before = there();
  expect(await adopt()).toMatchObject({ code: 3, stderr: expect.stringMatching(/^genesis_unconfirmed: /) });
  const { genesis } = await json<{ genesis: string }>(at.run(['init', '--name', 'ana', '--json']));
  await ok(type('verify', 'project', '--genesis', genesis));
  expect((await ok(type('policy', 'show'))).stdout).toContain('the files on this branch are others');
  expect(there()).toBe(before);
  expect((await ok(adopt())).stdout).toContain('revision 2');
  expect(there()).not.toBe(before);
  expect((await ok(type('policy', 'show'))).stdout).toContain('the files on this branch are these');
});
