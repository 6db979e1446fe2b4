// A plan is refused while what it starts is not at its base: nobody is asked to approve a run that cannot begin.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planMission } from '../../../src/app/mission/plan.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import type { Verdict } from '../../../src/kernel/verdict.ts';
import { git } from '../../support/repos.ts';
import { missionText } from '../../support/templates.ts';
import { LAPTOP, LAPTOP_SETTING, proposed, site, type Site } from './setting.ts';

const AGENT = 'tools/example-agent.sh';
const VERIFY = 'verify_command: sh test/greet.test.sh';

async function plan(at: Site, edits: Readonly<Record<string, string>> = {}): Promise<Verdict<MissionState>> {
  return planAgain(at, await proposed(at, missionText(edits)));
}

function planAgain(at: Site, mission: string): Promise<Verdict<MissionState>> {
  return planMission(at.as(LAPTOP, mission), LAPTOP_SETTING);
}

/** On the base; answers with its new commit. */
function changed({ folder }: Site, change: (at: (path: string) => string) => void): string {
  change((path) => join(folder, path));
  git(folder, ['add', '-A']);
  git(folder, ['commit', '-qm', 'changed']);
  return git(folder, ['rev-parse', 'HEAD']);
}

it('refuses an agent whose script the base does not have, by its path, until somebody brings it', async () => {
  const at = await site();
  const base = changed(at, (path) => rmSync(path(AGENT)));
  const mission = await proposed(at);
  expect(await planAgain(at, mission)).toMatchObject({
    code: 'agent_unprovided',
    facts: { agent: 'example', path: AGENT, why: 'the base does not have it', commit: base },
  });
  changed(at, (path) => writeFileSync(path(AGENT), 'true\n'));
  expect(await planAgain(at, mission)).toMatchObject({ is: 'accepted' });
});

it('wants what is started itself to be a file that can be executed', async () => {
  const at = await site();
  const agent = { 'agent: example': 'agent: [tools/agent]' };
  changed(at, (path) => mkdirSync(path('tools/agent')) ?? writeFileSync(path('tools/agent/part'), ''));
  expect(await plan(at, agent)).toMatchObject({ code: 'agent_unprovided', facts: { why: 'it is a folder' } });
  changed(at, (path) => rmSync(path('tools/agent'), { recursive: true }) ?? writeFileSync(path('tools/agent'), ''));
  expect(await plan(at, agent)).toMatchObject({ code: 'agent_unprovided', facts: { why: 'it is not executable' } });
  changed(at, (path) => chmodSync(path('tools/agent'), 0o755));
  expect(await plan(at, agent)).toMatchObject({ is: 'accepted' });
});

it('leaves links, and what lies behind one, to the cell that follows them', async () => {
  const at = await site();
  changed(at, (path) => symlinkSync('tools', path('also')) ?? symlinkSync('nowhere', path('tools/agent')));
  expect(await plan(at, { 'agent: example': 'agent: [tools/agent]' })).toMatchObject({ is: 'accepted' });
  expect(await plan(at, { 'agent: example': 'agent: [sh, also/example-agent.sh]' })).toMatchObject({ is: 'accepted' });
});

it('refuses a place that no cell has', async () => {
  const at = await site();
  expect(await plan(at, { 'agent: example': 'agent: [/opt/agents/solver]' })).toMatchObject({
    code: 'agent_unprovided',
    facts: { path: '/opt/agents/solver' },
  });
});

it('lets an interpreter find a script without its ending', async () => {
  const at = await site();
  changed(at, (path) => writeFileSync(path('tools/solver.js'), ''));
  expect(await plan(at, { 'agent: example': 'agent: [node, tools/solver]' })).toMatchObject({ is: 'accepted' });
  expect(await plan(at, { 'agent: example': 'agent: [node, tools/solve]' })).toMatchObject({
    code: 'agent_unprovided',
  });
});

it('refuses a check that starts what is not there, unless the mission may make it', async () => {
  const at = await site();
  expect(await plan(at, { [VERIFY]: 'verify_command: sh test/none.sh --all' })).toMatchObject({
    code: 'check_unprovided',
    facts: { command: 'sh test/none.sh --all', path: 'test/none.sh' },
  });
  expect(await plan(at, { 'grep -q greet.sh docs/usage.md': './tools/example-agent.txt' })).toMatchObject({
    code: 'check_unprovided',
  });
  expect(await plan(at, { [VERIFY]: 'verify_command: sh docs/check.sh' })).toMatchObject({ is: 'accepted' });
});
