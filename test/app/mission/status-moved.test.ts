// What people see of a plan that is no longer the one they voted on, and of a world that is no longer the plan's.
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { proposeMission } from '../../../src/app/mission/propose.ts';
import { planMission } from '../../../src/app/mission/plan.ts';
import { driftOf } from '../../../src/app/mission/status-moved.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { readMissionFile } from '../../../src/documents/mission-file.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { git } from '../../support/repos.ts';
import { approved, LAPTOP, LAPTOP_SETTING, planned, site, viewOf, type Site } from './setting.ts';
import { ANA } from '../../support/people.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

async function revise(at: Site, mission: string, text: string): Promise<void> {
  const wanted = {
    mission,
    proposal: taken(readMissionFile(text, 'mission.yaml')),
    raw: new TextEncoder().encode(text),
    rawMediaType: 'application/yaml',
  };
  taken(await proposeMission(at.world, ANA, wanted));
  taken(await planMission(at.as(LAPTOP, mission), LAPTOP_SETTING));
}

function commit(at: Site, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=ana', '-c', 'user.email=ana@example.test', 'commit', '-q', ...args], {
    cwd: at.folder,
  });
}

describe('a plan', () => {
  it('that is the first has changed in nothing, and is in step with the world', async () => {
    const at = await site();
    const { mission } = await planned(at);
    expect(await viewOf(at, mission)).toMatchObject({ changed: null, drift: [], edits: [] });
  });

  it('says what it asks for that the one people approved did not', async () => {
    const at = await site();
    const { mission, state } = await approved(at);
    await revise(at, mission, missionText({ 'Greet people': 'Welcome people' }));
    const { goal: after, changed } = await viewOf(at, mission);
    expect(changed).toEqual({
      since: 1,
      digest: state.course!.plan!.plan_digest,
      items: [expect.stringMatching(/^goal Greet people.* → Welcome people/)],
    });
    expect(changed!.items[0]).toContain(after);
  });

  it('that nobody looked at stands between what was approved and what is asked for now, and is passed over', async () => {
    const at = await site();
    const { mission } = await approved(at);
    await revise(at, mission, missionText({ 'Greet people': 'Welcome people' }));
    await revise(at, mission, missionText({ 'Greet people': 'Greet all people' }));
    const { changed } = await viewOf(at, mission);
    expect(changed).toMatchObject({ since: 1, items: [expect.stringMatching(/^goal Greet people.* → Greet all/)] });
  });
});

describe('the world since the plan', () => {
  it('has a base that went on, which does not matter, or was rewritten, which does', async () => {
    const at = await site();
    const { mission, state } = await approved(at);
    const { base_commit: plannedAt } = state.course!.plan!;
    commit(at, '--allow-empty', '-m', 'one more');
    const now = () => git(at.folder, ['rev-parse', 'refs/heads/main']);
    const drift = { is: 'base', base: 'main', planned: plannedAt } as const;
    expect((await viewOf(at, mission)).drift).toEqual([{ ...drift, now: now(), goesOn: true }]);
    git(at.folder, ['reset', '-q', '--soft', plannedAt]);
    commit(at, '--amend', '-m', 'another past');
    expect((await viewOf(at, mission)).drift).toEqual([{ ...drift, now: now(), goesOn: false }]);
  });

  it('has another policy', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const { project_id, policy } = projectState(at.world);
    const about = { entity_type: 'project', entity_id: project_id, task_id: project_id } as const;
    const payload = { policy: `sha256:${'0'.repeat(64)}`, revision: 2, sacred: policy!.sacred };
    taken(
      await at.bench
        .session(PROJECT_REF, ANA)
        .submit({ decide: () => accept([{ event_type: 'policy.revised', payload, ...about }]) }),
    );
    expect((await viewOf(at, mission)).drift).toEqual([{ is: 'policy', planned: 1, now: 2 }]);
  });

  it('has another roster, on which somebody who voted is no more', async () => {
    const at = await site();
    const { state } = await approved(at);
    const { tip } = at.world.project;
    const project = projectState(at.world);
    const members = project.roster.members.filter(({ principal_id }) => principal_id !== 'ben');
    const later = { ...tip, state: { ...project, roster: { ...project.roster, n: 2, members } } };
    const world = { ...at.world, project: { tip: later } as never };
    const documents = {
      plan: undefined,
      former: undefined,
      proposal: undefined,
      isErased: false,
      refused: [],
      readOnly: undefined,
    };
    expect(await driftOf(world, courseOf(state)!, documents)).toEqual([
      { is: 'roster', planned: 0, now: 2, lost: ['ben'] },
    ]);
  });
});
