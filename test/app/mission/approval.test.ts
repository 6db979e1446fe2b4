// From a mission file to an approved mission, in a real repository: what is written, what is refused, and that two
// missions never hold one path.
import { describe, expect, it } from 'vitest';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { planMission } from '../../../src/app/mission/plan.ts';
import { vote, withdraw } from '../../../src/app/mission/vote.ts';
import { missionState, projectState } from '../../../src/app/mission/world.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { accepted, ANA, BEN } from '../../support/desk.ts';
import { member } from '../../support/people.ts';
import { approved, LAPTOP, LAPTOP_SETTING, missionText, planned, proposed, site } from './setting.ts';

describe('a mission on a laptop', () => {
  it('is queued once somebody else has approved its digest, and its paths are its own', async () => {
    const at = await site();
    const { mission, state } = await approved(at);
    expect(missionStatus(state)).toBe('queued');
    expect(projectState(at.world).missions[mission]?.claims).toEqual(state.course!.plan!.paths);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: at.world.project });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it('waits when another mission holds one of its paths, which nobody can tell from the outside', async () => {
    const at = await site();
    await approved(at);
    const second = await approved(at, missionText({ 'Greet people': 'Welcome people' }));
    expect(missionStatus(second.state)).toBe('approved');
    expect(projectState(at.world).missions[second.mission]).toBeUndefined();
  });

  it('lets go of its paths when the vote is taken back', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const back = accepted(await withdraw(at.as(BEN, mission), { voter: 'ben', forge: null }));
    expect(missionStatus(back)).toBe('awaiting');
    expect(projectState(at.world).missions[mission]?.claims).toEqual([]);
    const again = { choice: 'approve', digest: back.course!.plan!.plan_digest, voter: 'ben', forge: null } as const;
    expect(missionStatus(accepted(await vote(at.as(BEN, mission), again)))).toBe('queued');
  });

  it('is not approved by its proposer, nor by a digest of something else', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    const say = { choice: 'approve', forge: null } as const;
    const digest = state.course!.plan!.plan_digest;
    expect(await vote(at.as(ANA, mission), { ...say, digest, voter: 'ana' })).toMatchObject({ code: 'self_approval' });
    expect(await vote(at.as(BEN, mission), { ...say, digest: 'ab'.repeat(8), voter: 'ben' })).toMatchObject({
      code: 'approval_stale',
      facts: { current: [digest] },
    });
    expect(await vote(at.as(BEN, mission), { ...say, digest: digest.slice(0, 8), voter: 'ben' })).toMatchObject({
      code: 'digest_required',
    });
  });

  it('may be approved by its proposer where there is nobody else, and says so', async () => {
    const alone = [
      member(ANA, { roles: ['person', 'root'] }),
      member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner' }),
    ];
    const at = await site({ members: alone });
    const { mission, state } = await planned(at);
    const say = { choice: 'approve', digest: state.course!.plan!.plan_digest, voter: 'ana', forge: null } as const;
    expect(missionStatus(accepted(await vote(at.as(ANA, mission), say)))).toBe('queued');
  });

  it('is refused before anything is written where it asks for what this place has not', async () => {
    const at = await site();
    const mission = await proposed(at, missionText({ 'capabilities: []': 'capabilities: [pr:open]' }));
    const before = await at.bench.place.head(missionRef(mission));
    expect(await planMission(at.as(LAPTOP, mission), LAPTOP_SETTING)).toMatchObject({ code: 'capability_unavailable' });
    expect(await at.bench.place.head(missionRef(mission))).toBe(before);
  });

  it('is not planned under a policy that the project has not adopted', async () => {
    const at = await site();
    const mission = await proposed(at);
    const acting = at.as(LAPTOP, mission);
    const rules = { ...projectState(at.world).policy!, policy: `sha256:${'0'.repeat(64)}` };
    Object.assign(projectState(at.world), { policy: rules });
    await expect(planMission(acting, LAPTOP_SETTING)).rejects.toMatchObject({ code: 'policy_drifted' });
    expect(missionStatus(await missionState(acting))).toBe('proposed');
  });
});
