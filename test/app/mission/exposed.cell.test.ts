// A mission of tier 2 on a runner whose keys every writer of the repository can read: it does not run there, whoever planned
// it, and runs where they are kept apart.
import { expect, it } from 'vitest';
import { vote } from '../../../src/app/mission/vote.ts';
import { ANA, BEN, CY, member } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { missionText } from '../../support/templates.ts';
import { documentOf, eventsOf, running, tryToRun } from './running.ts';
import { LAPTOP, planned, site } from './setting.ts';

it('is refused before anything is begun', async () => {
  const members = [
    member(ANA, { roles: ['person', 'root'] }),
    member(BEN, { roles: ['person'] }),
    member(CY, { roles: ['person'] }),
    member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner', person_id: null }),
  ];
  const at = await site({ members });
  const { mission, state } = await planned(at, missionText({ 'tier: 1': 'tier: 2' }));
  const digest = state.course!.plan!.plan_digest.slice(0, 12);
  for (const key of [BEN, CY])
    taken(await vote(at.as(key, mission), { choice: 'approve', digest, voter: key.principalId }));
  const exposed = { ...(await running(at)), exposedTo: 'repository_writers' } as const;
  await expect(tryToRun(at, mission, undefined, { running: exposed })).rejects.toMatchObject({
    code: 'runner_exposed',
    facts: { exposed_to: 'repository_writers', tier: 2 },
  });
  expect(await eventsOf(at, mission, 'cell.spawned')).toEqual([]);
  taken(await tryToRun(at, mission));
  const [closed] = await eventsOf(at, mission, 'cell.closed');
  expect(await documentOf(at, mission, closed!.payload.facts)).toMatchObject({ exposed_to: null });
});
