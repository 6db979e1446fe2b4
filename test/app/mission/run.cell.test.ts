// A mission run for real: the agent in a bubblewrap cell, its work checked and run again, delivered as a branch, receipted.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { projectState } from '../../../src/app/mission/world.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { run } from './running.ts';
import { approved, missionText, site } from './setting.ts';

describe('a mission that runs', () => {
  it('ends done, with a branch that has only the owned files changed, and a ledger that verifies', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const { state, took } = await run(at, mission);
    expect(took).toEqual(['cell', 'deliver']);
    expect(missionStatus(state)).toBe('done');
    const branch = `lazarus-work/${missionName(mission)}/1`;
    const changed = execFileSync('git', ['diff', '--name-only', 'main', branch], { cwd: at.folder, encoding: 'utf8' });
    expect(changed.trim().split('\n')).toEqual(['docs/usage.md', 'src/greet.sh']);
    expect(projectState(at.world).missions[mission]?.claims).toEqual([]);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it.each([
    ['writes outside its paths', "[/bin/sh, -c, 'echo x >> README.md; echo x > src/greet.sh']", 'scope_violated'],
    ['does nothing', "['/bin/true']", 'nothing_done'],
    ['ends with an error', "['/bin/false']", 'cell_failed'],
    ['breaks what it was to make', "[/bin/sh, -c, 'echo exit 1 > src/greet.sh']", 'verify_failed'],
  ])('ends failed when its agent %s', async (_, agent, because) => {
    const at = await site();
    const { mission } = await approved(at, missionText({ 'agent: example': `agent: ${agent}` }));
    const { state } = await run(at, mission);
    expect(state.course!.end).toEqual({ outcome: 'failed', because });
    expect(projectState(at.world).missions[mission]?.claims).toEqual([]);
    const branches = execFileSync('git', ['branch', '--list', 'lazarus-work/*'], { cwd: at.folder, encoding: 'utf8' });
    expect(branches).toBe('');
  });
});
