// What a run writes down of its cells is what this machine makes, and what is checked is what people approved: a plan for
// another kind of cell does not run here, and a document that names other checks than its terms is not carried out.
import { expect, it } from 'vitest';
import { planDocumentOf } from '../../../src/app/mission/documents.ts';
import { runAttempt } from '../../../src/app/mission/run.ts';
import { missionState } from '../../../src/app/mission/world.ts';
import { eventsOf, run, running, tryToRun } from './running.ts';
import { approved, LAPTOP, site } from './setting.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

it('every cell is born as it was probed, the checks together, and closed once', async () => {
  const at = await site();
  const { mission } = await approved(at, missionText({}));
  const means = await running(at);
  const probe = await means.cells.probe();
  taken(await tryToRun(at, mission, undefined, { running: means }));
  const births = await eventsOf(at, mission, 'cell.spawned');
  const { level, limits } = probe as Extract<typeof probe, { is: 'fit' }>;
  for (const { payload } of births) expect(payload).toMatchObject({ backend: 'process', level, limits });
  const [agent, ...checks] = births;
  expect(agent!.payload).toMatchObject({ purpose: 'agent', check: null });
  const [plan] = await eventsOf(at, mission, 'plan.computed');
  expect(checks.map(({ payload }) => payload.check)).toEqual(plan!.payload.checks.map((_, n) => n));
  // One transaction before the first of them runs, one after the last.
  const ends = (await eventsOf(at, mission, 'cell.closed')).slice(1);
  expect(ends.map(({ entity_id }) => entity_id)).toEqual(checks.map(({ entity_id }) => entity_id));
  const [verdict] = await eventsOf(at, mission, 'verification.recorded');
  expect(new Set(checks.map(({ commit }) => commit)).size).toBe(1);
  expect(new Set([...ends, verdict!].map(({ commit }) => commit)).size).toBe(1);
  expect(verdict!.payload.checks.map(({ cell }) => cell)).toEqual(checks.map(({ entity_id }) => entity_id));
});

it('a killed supervisor’s checks are closed as lost, and the next attempt runs them anew', async () => {
  const at = await site();
  const { mission } = await approved(at, missionText({}));
  const means = await running(at);
  const killed = new Error('killed');
  const onPoint = (step: string): void => {
    if (step === 'handed_over') throw killed;
  };
  await expect(tryToRun(at, mission, undefined, { running: { ...means, onPoint } })).rejects.toBe(killed);
  const open = (await eventsOf(at, mission, 'cell.spawned')).slice(1).map(({ entity_id }) => entity_id);
  const { state } = await run(at, mission);
  expect(state.course!.end).toMatchObject({ outcome: 'done' });
  const lost = (await eventsOf(at, mission, 'cell.closed')).filter(({ payload }) => payload.outcome === 'lost');
  expect(lost.map(({ entity_id }) => entity_id).toSorted()).toEqual(open.toSorted());
});

it('a mission for another kind of cell does not run, and no birth says that it did', async () => {
  const at = await site({ policy: (text) => text.replace('  process: 2\n', '  process: 2\n  docker: 2\n') });
  const { mission } = await approved(at, missionText({ 'backend: process': 'backend: docker' }));
  const acting = at.as(LAPTOP, mission);
  await expect(runAttempt(acting, await running(at))).rejects.toMatchObject({
    code: 'backend_unmet',
    facts: { backend: 'process', asked: 'docker' },
  });
  expect(await eventsOf(at, mission, 'cell.spawned')).toEqual([]);
});

it('a plan document with another number of checks than its terms is refused by runner and writer', async () => {
  const at = await site();
  const { mission } = await approved(at, missionText({}));
  const acting = at.as(LAPTOP, mission);
  const state = await missionState(acting);
  const plan = { ...state.course!.plan!, checks: ['verify' as const] };
  const lied = { ...state, course: { ...state.course!, plan } };
  await expect(planDocumentOf(acting, lied)).rejects.toMatchObject({ code: 'plan_document_differs' });
  expect((await planDocumentOf(acting, state)).proposal.acceptance.length).toBeGreaterThan(0);
});
