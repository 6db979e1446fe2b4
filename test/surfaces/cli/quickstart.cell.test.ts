// The quickstart on machines with and without something to isolate an agent with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lazarus } from '../../support/cli.ts';
import { runWithout } from '../../support/lacking.ts';
import { scratch } from '../../support/repos.ts';

type Told = { mission: string; genesis: string; level: number; steps: { step: string; facts: string[] }[] };

describe('lazarus quickstart', () => {
  it('runs a whole mission in a cell, and touches nobody’s keys', async () => {
    const home = scratch('home');
    const dir = join(scratch('try'), 'quickstart');
    const { code, stdout, stderr } = await lazarus(['quickstart', '--dir', dir, '--json'], { cwd: home });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const told = JSON.parse(stdout) as Told;
    expect(told.level).toBeGreaterThanOrEqual(2);
    expect(readdirSync(home)).toEqual([]);
    const next = ['-C', join(dir, 'laptop'), 'verify', told.mission, '--genesis', told.genesis];
    expect((await lazarus(next, { cwd: home })).code).toBe(0);
  });

  it('without bubblewrap goes on with its own example only, says so loudly, and so does the receipt', async () => {
    const at = { home: scratch('home'), cwd: scratch('try') };
    const dir = join(at.cwd, 'quickstart');
    const { status, stdout, stderr } = runWithout('bwrap', ['quickstart', '--dir', dir, '--json'], at);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toMatch(/^NO ISOLATION: bubblewrap is not installed/m);
    const { mission, level } = JSON.parse(stdout) as Told;
    expect(level).toBe(0);
    const inside = ['-C', join(dir, 'laptop')];
    const listed = await lazarus([...inside, 'receipt', 'list', mission], at);
    const receipt = listed.stdout
      .split('\n')
      .find((line) => line.includes('command_execution'))!
      .slice(0, 36);
    const shown = await lazarus([...inside, 'receipt', 'show', mission, receipt], at);
    expect(shown.stdout).toMatch(/\ncell +none, level 0: NO ISOLATION, user \d+\n$/);
  });
});
