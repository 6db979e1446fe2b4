// `lazarus policy add-environment` and `lazarus cache` as they are typed: what is written for review, and what is kept.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

const POLICY = '.gitea/lazarus/policy.yml';
const policy = (): string => readFileSync(join(at.folder, POLICY), 'utf8');

it('says what it looked for where there is nothing to detect', async () => {
  const { code, stderr } = await at.run(['policy', 'add-environment', '--detect']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^environment_undetected: .*package-lock\.json[^]*next: /)]);
});

it('writes an environment and the rule that opens its hosts, keeps every other byte, and never twice', async () => {
  const before = policy();
  writeFileSync(join(at.folder, 'package.json'), '{"name":"app"}');
  const packages = { 'node_modules/a': { resolved: 'https://registry.example.org/a.tgz' } };
  writeFileSync(join(at.folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));

  const { stdout } = await ok(at.run(['policy', 'add-environment', '--detect', '--dry-run']));
  expect(stdout).toMatch(
    /would add {2}environment: npm\n[^]*hosts: \[registry\.example\.org\][^]*would add {2}rules: prepare_npm\n/,
  );
  expect(policy()).toBe(before);

  await ok(at.run(['policy', 'add-environment', '--detect']));
  const after = policy();
  const kept = after.split('\n').filter((line) => before.split('\n').includes(line));
  expect(kept.join('\n')).toContain(
    before
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 10)
      .at(-1),
  );
  let rest = after;
  for (const line of before.split('\n')) {
    expect(rest).toContain(line);
    rest = rest.slice(rest.indexOf(line) + line.length);
  }
  expect(after).toContain('resources: [prepare/registry.example.org:443]'.replace('[', "['").replace(']', "']"));
  await ok(at.run(['policy', 'check']));

  const twice = await at.run(['policy', 'add-environment', '--detect']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/^entry_not_inserted: [^]*npm already/)]);
  expect(policy()).toBe(after);
  await ok(at.run(['policy', 'add-environment', '--detect', '--name', 'web']));
  expect(policy()).toContain('\n  web:\n');
  git(at.folder, ['checkout', '-q', POLICY]);
  for (const name of ['package.json', 'package-lock.json']) rmSync(join(at.folder, name));
});

it('lists, verifies and clears what is kept; clearing takes exactly one word for how much', async () => {
  for (const args of [[], ['--all', '--older-than', '3'], ['abc', '--all']]) {
    const { code, stderr } = await at.run(['cache', 'clear', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--older-than <days>')]);
  }
  expect((await at.run(['cache', 'clear', '--older-than', '-3'])).code).toBe(2);
  expect(await json(at.run(['cache', 'clear', 'ffffffffffff', '--json']))).toMatchObject({ removed: [], mounted: [] });
  const unknown = await at.run(['cache', 'verify', 'ffffffffffff']);
  expect([unknown.code, unknown.stderr]).toEqual([9, expect.stringContaining('environment_missing')]);
});
