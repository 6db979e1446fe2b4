// `lazarus version` is what people paste into a report: it names the git that is there, and works where there is none.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { lazarus } from '../../support/cli.ts';
import { scratch } from '../../support/repos.ts';

it('names the git that is installed', async () => {
  const { code, stdout } = await lazarus(['version', '--json'], { cwd: scratch() });
  const installed = execFileSync('git', ['--version'], { encoding: 'utf8' });
  expect(installed.trim()).toBe(`git version ${JSON.parse(stdout).git}`);
  expect(code).toBe(0);
});

it('says that there is none, which is no failure', async () => {
  const env = { PATH: scratch('empty') };
  const { code, stdout } = await lazarus(['version', '--json'], { cwd: scratch(), env });
  expect({ code, git: JSON.parse(stdout).git }).toEqual({ code: 0, git: null });
});
