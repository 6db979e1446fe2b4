// Calling a mission off before anything of it runs: one change that writes the word, its receipts and its end, and frees its
// paths; and what is left to others where the person who says it may not end it.
import { describe, expect, it } from 'vitest';
import { advance, type DueKind } from '../../../src/app/mission/advance.ts';
import { cancel } from '../../../src/app/mission/cancel.ts';
import { vote } from '../../../src/app/mission/vote.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { whatIsDue } from '../../../src/kernel/decide/due.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { member, ANA, BEN } from '../../support/people.ts';
import { eventsOf } from './running.ts';
import { approved, LAPTOP, LAPTOP_SETTING, planned, proposed, site, type Site } from './setting.ts';
import { taken } from '../../support/taken.ts';

const NOW = { now: new Date().toISOString() };

function heal(at: Site, mission: string, ...steps: readonly DueKind[]) {
  const means = { may: new Set(steps), setting: LAPTOP_SETTING, executors: {}, isAlone: false };
  return advance(at.as(LAPTOP, mission), means);
}

function claimsOf(at: Site, mission: string): readonly string[] {
  return projectState(at.world).missions[mission]?.claims ?? [];
}

async function expectSound(at: Site, mission: string): Promise<void> {
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
}

const STATES = {
  proposed: async (at: Site) => ({ mission: await proposed(at) }),
  awaiting: (at: Site) => planned(at),
  queued: (at: Site) => approved(at),
} as const;

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a mission that is %s', (state) => {
  it('is over with its receipts once the machine comes by, and another one may have its paths', async () => {
    const at = await site();
    const { mission } = await STATES[state](at);
    const reason = new TextEncoder().encode('somebody else has done it');
    const said = taken(await cancel(at.as(BEN, mission), { reason }));
    expect([missionStatus(said), said.course!.end]).toEqual(['cancelled', null]);
    expect(whatIsDue(said, NOW)).toEqual({ is: 'end' });

    const { state: over } = taken(await heal(at, mission, 'end'));
    expect(over.course!.end).toEqual({ outcome: 'cancelled', because: 'mission_cancelled' });
    expect(claimsOf(at, mission)).toEqual([]);
    const [word] = await eventsOf(at, mission, 'mission.cancelled');
    expect(word).toMatchObject({
      actor_id: 'ben',
      payload: { forge: null, reason: expect.stringMatching(/^sha256:/) },
    });
    await expectSound(at, mission);

    const other = await approved(at);
    expect(whatIsDue(other.state, NOW)).toEqual({ is: 'cell' });
  });
});

it('receipts say of each question and each run that nothing came of them, and why', async () => {
  const at = await site();
  const { mission } = await planned(at);
  taken(await cancel(at.as(ANA, mission), {}));
  taken(await heal(at, mission, 'end'));
  const receipts = (await eventsOf(at, mission, 'receipt.issued')).map(({ payload }) => payload);
  expect(receipts.map((one) => [one.receipt_class, one.result_code, one.result_summary])).toEqual([
    ['approval_resolution', 'refused', 'mission_cancelled'],
    ['publish', 'refused', 'mission_cancelled'],
    ['command_execution', 'refused', 'mission_cancelled'],
  ]);
});

it('one key that may do all of it writes all of it at once', async () => {
  const all = member(BEN, { roles: ['gate', 'person', 'runner', 'writer'] });
  const at = await site({
    members: [
      member(ANA, { roles: ['person', 'root'] }),
      all,
      member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner', person_id: null }),
    ],
  });
  const { mission } = await approved(at);
  const state = taken(await cancel(at.as(BEN, mission), {}));
  expect(state.course!.end).toEqual({ outcome: 'cancelled', because: 'mission_cancelled' });
  expect(claimsOf(at, mission)).toEqual([]);
});

it('nobody votes for it, and nobody calls it off twice', async () => {
  const at = await site();
  const { mission, state } = await planned(at);
  taken(await cancel(at.as(ANA, mission), {}));
  const say = { choice: 'approve', digest: state.course!.plan!.plan_digest, voter: 'ben' } as const;
  expect(await vote(at.as(BEN, mission), say)).toMatchObject({ is: 'refused', code: 'mission_cancelled' });
  expect(await cancel(at.as(BEN, mission), {})).toMatchObject({ is: 'refused', code: 'mission_cancelled' });
});

it('why anything of it ended leads back to the word that called it off', async () => {
  const at = await site();
  const { mission } = await approved(at);
  taken(await cancel(at.as(BEN, mission), {}));
  taken(await heal(at, mission, 'end'));
  const [word] = await eventsOf(at, mission, 'mission.cancelled');
  for (const type of ['attempt.cancelled', 'task.cancelled', 'mission.ended'] as const)
    expect((await eventsOf(at, mission, type))[0]!.causation_id).toBe(word!.event_id);
});
