// The world that people approved a mission for has changed when it is to run, or another mission wants the same paths: it
// stops with a reason, nothing is written, and where time heals it, the next run goes on.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../../src/app/mission/documents.ts';
import { statusView } from '../../../src/app/mission/status-view.ts';
import { actOn, missionState, projectState } from '../../../src/app/mission/world.ts';
import { planCutOff } from '../../../src/app/threshold/cut-off.ts';
import { removeMember } from '../../../src/app/threshold/roster-change.ts';
import { draftOf } from '../../../src/app/threshold/threshold-draft.ts';
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { applied, drafted, signed } from '../../support/drafts.ts';
import { git } from '../../support/repos.ts';
import { run, tryToRun } from './running.ts';
import { approved, LAPTOP, site, type Site } from './setting.ts';
import { ANA, BEN } from '../../support/people.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

async function reasonOf(at: Site, mission: string): Promise<string> {
  const before = git(at.folder, ['for-each-ref']);
  const stopped = await tryToRun(at, mission).catch((error: { code: string }) => error);
  expect(git(at.folder, ['for-each-ref'])).toBe(before);
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
  return 'code' in stopped ? stopped.code : 'ran';
}

/** As the next command finds it. */
async function afresh(at: Site): Promise<Site> {
  const world = { ...at.world, project: await at.bench.project() };
  return { ...at, world, as: (key, one) => actOn(world, missionRef(one), key) };
}

function commit(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=ana', '-c', 'user.email=ana@example.test', 'commit', '-q', ...args], {
    cwd: folder,
  });
}

describe('between the approval and the run', () => {
  it('the base was rewritten', async () => {
    const at = await site();
    const { mission } = await approved(at);
    commit(at.folder, '--amend', '-m', 'another past');
    expect(await reasonOf(at, mission)).toBe('ref_moved');
  });

  it('the base went on: that does not matter', async () => {
    const at = await site();
    const { mission } = await approved(at);
    commit(at.folder, '--allow-empty', '-m', 'one more');
    expect(missionStatus((await run(at, mission)).state)).toBe('done');
  });

  it('the roots adopted another policy', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const { project_id, policy } = projectState(at.world);
    const revised = {
      event_type: 'policy.revised',
      entity_type: 'project',
      entity_id: project_id,
      task_id: project_id,
      payload: { policy: `sha256:${'0'.repeat(64)}`, revision: 2, sacred: policy!.sacred },
    } as const;
    taken(await at.bench.session(PROJECT_REF, ANA).submit({ decide: () => accept([revised]) }));
    // Nothing is begun, and there is nothing to ask people about before the base has that policy.
    expect(await reasonOf(await afresh(at), mission)).toBe('policy_not_in_force');
  });

  it('whoever approved it was taken off the roster', async () => {
    const at = await site();
    const { mission } = await approved(at);
    taken(await applied(at.bench, await drafted(at.bench, removeMember('ben'), ANA), ANA));
    const asked = taken(await tryToRun(await afresh(at), mission));
    expect(asked.next).toEqual({ is: 'people' });
    // Of the same plan, and no attempt was spent on finding that out.
    expect(missionStatus(asked.state)).toBe('awaiting');
    expect(courseOf(asked.state)).toMatchObject({ attempt: { no: 1 }, grants: {} });
  });

  it('the key of whoever approved it was cut off: it is blocked until the roots have judged what that key signed', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const suspicion = { fingerprint: BEN.fingerprint, trusted: new Map(), distrustOthers: true };
    const { document } = await planCutOff(at.bench, await at.bench.project(), suspicion);
    const draft = await signed(at.bench, draftOf({ purpose: 'cut-off', document }), ANA);
    taken(await applied(at.bench, draft, ANA));
    const now = await afresh(at);
    expect(await reasonOf(now, mission)).toBe('mission_disowned');
    const acting = now.as(LAPTOP, mission);
    const state = await missionState(acting);
    const shown = { home: '', custody: 'people', run: null } as const;
    const [head, told] = [await acting.desk.head(), await acting.desk.told()];
    const ref = missionRef(mission);
    const documents = await documentsOf(now.world.bench, ref, state, told);
    const view = await statusView(now.world, { ref, state, head, told, documents }, shown);
    expect(view).toMatchObject({ state: 'blocked', because: { code: 'mission_disowned' } });
  });
});

describe('two missions that want one path', () => {
  it('are never under way at once; the second one runs when the first is over', async () => {
    const at = await site();
    const first = await approved(at);
    const second = await approved(at, missionText({ 'Greet people': 'Welcome people' }));
    expect(missionStatus(second.state)).toBe('approved');
    expect((await run(at, second.mission)).took).toEqual([]);
    expect(missionStatus((await run(at, first.mission)).state)).toBe('done');
    const { state, took } = await run(at, second.mission);
    expect(took).toEqual(['grant', 'cell', 'deliver']);
    expect(missionStatus(state)).toBe('done');
    expect(Object.values(projectState(at.world).missions).flatMap(({ claims }) => claims)).toEqual([]);
  });
});
