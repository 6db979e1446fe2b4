// `lazarus policy add-agent` as it is typed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lazarus } from '../../support/cli.ts';
import { projectFolder } from '../../support/founding.ts';
import { git, scratch } from '../../support/repos.ts';

const POLICY = '.gitea/lazarus/policy.yml';

async function founded() {
  const folder = projectFolder();
  const env = { HOME: scratch('home'), LAZARUS_PASSPHRASE: 'correct horse' };
  const run = (...args: string[]) => lazarus(args, { cwd: folder, env });
  expect(await run('init', '--name', 'uma', '--commit')).toMatchObject({ code: 0 });
  const file = join(folder, POLICY);
  return { folder, run, file, policy: () => readFileSync(file, 'utf8') };
}

it('writes an agent for review, says what to type, and that can be adopted', async () => {
  const { folder, run, policy } = await founded();
  const before = policy();
  const added = await run('policy', 'add-agent', 'codex');
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toMatch(
    /agents: codex\n[^]*routes: openai\n[^]*\n {2}lazarus vault set openai\n {2}lazarus policy check\n {2}git commit [^]* {2}lazarus policy adopt\n$/,
  );
  const removed = git(folder, ['diff', '--numstat', POLICY]).split('\t')[1];
  expect(removed).toBe('0');
  expect(policy()).toContain('  codex:\n    command:\n');
  expect((await run('policy', 'check')).stdout).toContain('readable, not in force until committed and adopted');
  git(folder, ['commit', '-q', '-m', 'agent', POLICY]);
  expect(await run('policy', 'adopt', '--yes')).toMatchObject({ code: 0 });
  expect((await run('policy', 'show')).stdout).toContain('policy revision 2');
  expect(policy()).not.toBe(before);
});

it('changes nothing with --dry-run, and shows what it would write', async () => {
  const { run, policy } = await founded();
  const before = policy();
  const { code, stdout } = await run('policy', 'add-agent', 'opencode', '--name', 'careful', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('\nagents:\n');
  expect(stdout).toContain('\n  careful:\n');
  expect(policy()).toBe(before);
});

it('refuses what it does not know, what is there already, and a policy that it cannot read', async () => {
  const { run, policy, file } = await founded();
  const unknown = await run('policy', 'add-agent', 'nobody');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/codex, command, opencode/) });
  const named = await run('policy', 'add-agent', 'codex', '--name', 'Not A Name');
  expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('small letters') });
  const before = policy();
  const taken = await run('policy', 'add-agent', 'codex', '--name', 'example');
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('has an entry example already') });
  writeFileSync(file, `${before}\nagnts: {}\n`);
  expect(await run('policy', 'add-agent', 'codex')).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('did you mean agents?'),
  });
  expect(policy()).toBe(`${before}\nagnts: {}\n`);
});
