// How a mission ends that comes to no effect: the runner hands over what came of it, whoever keeps the time and the paths
// says that it is over, and what is over stays over whatever a clock says.
import { describe, expect, it } from 'vitest';
import { planMission } from '../../../src/app/mission/plan.ts';
import { advance, type DueKind } from '../../../src/app/mission/advance.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { whatIsDue } from '../../../src/kernel/decide/due.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { member, testKey, ANA, BEN } from '../../support/people.ts';
import { vote } from '../../../src/app/mission/vote.ts';
import { eventsOf, tryToRun } from './running.ts';
import { approved, LAPTOP, LAPTOP_SETTING, planned, site, type Site } from './setting.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

const RUNNER = testKey('runner');
/** As on a forge: the key in a cell's job runs, and does nothing else. */
const MEMBERS = [
  member(ANA, { roles: ['person', 'root'] }),
  member(BEN, { roles: ['person'] }),
  member(LAPTOP, { roles: ['gate', 'writer'], principal_type: 'service', person_id: null }),
  member(RUNNER, { roles: ['runner'], principal_type: 'runner', person_id: null }),
];

const may = (...steps: readonly DueKind[]): ReadonlySet<DueKind> => new Set(steps);
const FAILS = missionText({ 'agent: example': "agent: ['/bin/false']" });

function heal(at: Site, mission: string, ...steps: readonly DueKind[]) {
  return advance(at.as(LAPTOP, mission), {
    may: may(...steps),
    setting: LAPTOP_SETTING,
    executors: {},
    isAlone: false,
  });
}

/** This computer's clock from here on. */
function setClock(at: Site, instant: string): void {
  Object.assign(at.bench.parts.clock, { nowSeconds: () => Math.floor(Date.parse(instant) / 1000) });
}

function claimsOf(at: Site, mission: string): readonly string[] {
  return projectState(at.world).missions[mission]?.claims ?? [];
}

async function expectSound(at: Site, mission: string): Promise<void> {
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
}

describe('an attempt that failed', () => {
  it('is handed over by its runner and ended by another key, which frees its paths', async () => {
    const at = await site({ members: MEMBERS });
    const { mission } = await approved(at, FAILS);
    const everything = may('plan', 'grant', 'recover', 'cell', 'deliver', 'observe');
    const handed = taken(await tryToRun(at, mission, {}, { may: everything, acting: at.as(RUNNER, mission) }));
    expect(handed.next).toEqual({ is: 'end' });
    expect([missionStatus(handed.state), handed.state.course!.end]).toEqual(['failed', null]);
    expect(claimsOf(at, mission)).not.toEqual([]);

    const asRunner = await tryToRun(at, mission, {}, { may: may('end'), acting: at.as(RUNNER, mission) });
    expect(asRunner).toMatchObject({ is: 'refused', code: 'role_not_allowed' });

    const { state } = taken(await heal(at, mission, 'end'));
    expect(state.course!.end).toEqual({ outcome: 'failed', because: 'cell_failed' });
    expect(claimsOf(at, mission)).toEqual([]);
    const [ended] = await eventsOf(at, mission, 'mission.ended');
    expect(ended!.signer.principal_id).toBe('laptop');
    await expectSound(at, mission);
  });
});

describe('a question that nobody answered in time', () => {
  it('ends the mission with a receipt, and no date brings it back', async () => {
    const at = await site({ members: MEMBERS });
    const { mission, state: before } = await planned(at);
    const [approval] = Object.values(before.course!.approvals);
    const inTime = new Date().toISOString();
    setClock(at, new Date(Date.parse(approval!.expires_at) + 1000).toISOString());
    expect(whatIsDue(before, { now: approval!.expires_at })).toEqual({ is: 'people' });

    const { state } = taken(await heal(at, mission, 'expire'));
    expect(state.course!.end).toEqual({ outcome: 'expired', because: 'approval_expired' });
    const [receipt] = await eventsOf(at, mission, 'receipt.issued');
    expect(receipt!.payload).toMatchObject({ receipt_class: 'approval_resolution', result_code: 'expired' });

    setClock(at, inTime);
    const digest = before.course!.plan!.plan_digest;
    const voted = await vote(at.as(BEN, mission), { digest, voter: 'ben', choice: 'approve' });
    expect(voted).toMatchObject({ is: 'refused', code: 'mission_over' });
    await expectSound(at, mission);
  });

  it('is not given a vote by a clock that is set back', async () => {
    const at = await site({ members: MEMBERS });
    const { mission, state } = await planned(at);
    const inTime = new Date().toISOString();
    const { plan_digest: digest } = state.course!.plan!;
    const say = { digest, voter: 'ben' } as const;
    // The gate was here later: whatever it wrote then, the ledger has come that far.
    setClock(at, new Date(Date.now() + 3600_000).toISOString());
    const later = taken(await planMission(at.as(LAPTOP, mission), LAPTOP_SETTING));
    setClock(at, inTime);
    const digestNow = later.course!.plan!.plan_digest;
    const voted = await vote(at.as(BEN, mission), { ...say, digest: digestNow, choice: 'approve' });
    expect(voted).toMatchObject({ is: 'refused', code: 'clock_behind' });
  });
});
