// Calling a mission off while it runs: its supervisor finds the word, closes the cell with its receipt and lets go of the
// lease, whatever was running in it; and one that does not look hands over to nobody.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cancel } from '../../../src/app/mission/cancel.ts';
import type { UntilNextLook } from '../../../src/app/mission/lookout.ts';
import type { Running } from '../../../src/app/mission/run.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { git } from '../../support/repos.ts';
import { eventsOf, never, run, running, tryToRun } from './running.ts';
import { approved, site, type Site } from './setting.ts';
import { BEN } from '../../support/people.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

const FOREVER = 'while :; do sleep 0.05; done';

function agent(script: string, edits: Readonly<Record<string, string>> = {}): string {
  return missionText({ 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(script)}]`, ...edits });
}

/** Time to look has come once somebody says so, and every moment from then on. */
function whenTold(): {
  readonly untilNextLook: UntilNextLook;
  readonly tell: () => void;
  readonly looks: () => number;
} {
  let isTold = false;
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  let looks = 0;
  return {
    untilNextLook: async (over) => {
      if (!isTold) await Promise.race([told, never(over)]);
      looks++;
      await new Promise((resolve) => setImmediate(resolve));
    },
    tell: () => {
      isTold = true;
      tell();
    },
    looks: () => looks,
  };
}

async function expectCalledOff(at: Site, mission: string, means: Running): Promise<void> {
  expect(readdirSync(join(means.mirror, '..', 'cells'))).toEqual([]);
  expect(git(at.folder, ['for-each-ref', 'refs/heads/lazarus-work'])).toBe('');
  const fresh = await at.bench.project();
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: fresh });
  expect(report.integrity).toEqual({ is: 'ok' });
  expect(projectState({ ...at.world, project: fresh }).missions[mission]).toBeUndefined();
}

it('kills the agent at work, and frees its paths for another mission', async () => {
  const at = await site();
  const { mission } = await approved(at, agent(`echo begun; ${FOREVER}`));
  const { untilNextLook, tell } = whenTold();
  let word: Promise<unknown> | undefined;
  const means: Running = {
    ...(await running(at)),
    untilNextLook,
    onOutput: () => {
      word ??= cancel(at.as(BEN, mission), {}).then((said) => {
        taken(said);
        tell();
      });
    },
  };
  const { state, took } = taken(await tryToRun(at, mission, undefined, { running: means }));
  await word;
  expect(took).toEqual(['cell', 'end']);
  expect(courseOf(state)).toMatchObject({
    lease: null,
    cells: {},
    attempt: { status: 'cancelled', because: 'mission_cancelled', work: null },
    end: { outcome: 'cancelled', because: 'mission_cancelled' },
  });
  const [closed] = await eventsOf(at, mission, 'cell.closed');
  const [called] = await eventsOf(at, mission, 'mission.cancelled');
  expect(closed).toMatchObject({ causation_id: called!.event_id, payload: { because: 'mission_cancelled' } });
  const receipts = (await eventsOf(at, mission, 'receipt.issued')).map(({ payload }) => payload);
  expect(receipts).toContainEqual(
    expect.objectContaining({
      receipt_class: 'command_execution',
      result_code: 'failed',
      result_summary: 'mission_cancelled',
      subject_ref: closed!.entity_id,
    }),
  );
  await expectCalledOff(at, mission, means);
  const other = await approved(at);
  expect((await run(at, other.mission)).state.course!.end?.outcome).toBe('done');
});

it('kills a check at work, and what it would have said is not waited for', async () => {
  const at = await site();
  const text = agent('sh tools/example-agent.sh', {
    'verify_command: sh test/greet.test.sh': `verify_command: ${FOREVER}`,
  });
  const { mission } = await approved(at, text);
  const { untilNextLook, tell } = whenTold();
  const made = await running(at);
  const means: Running = {
    ...made,
    untilNextLook,
    cells: {
      ...made.cells,
      async runCheck(spec) {
        const ran = made.cells.runCheck(spec);
        taken(await cancel(at.as(BEN, mission), {}));
        tell();
        return ran;
      },
    },
  };
  const { state } = taken(await tryToRun(at, mission, undefined, { running: means }));
  expect(courseOf(state)).toMatchObject({ lease: null, cells: {}, end: { outcome: 'cancelled' } });
  expect(await eventsOf(at, mission, 'verification.recorded')).toEqual([]);
  const born = (await eventsOf(at, mission, 'cell.spawned')).map(({ entity_id }) => entity_id);
  const closed = (await eventsOf(at, mission, 'cell.closed')).map(({ entity_id }) => entity_id);
  expect(closed.toSorted()).toEqual(born.toSorted());
  await expectCalledOff(at, mission, means);
});

it('takes no work from a supervisor that never looked', async () => {
  const at = await site();
  const { mission } = await approved(at, agent('echo begun; sh tools/example-agent.sh'));
  const made = await running(at);
  const means: Running = {
    ...made,
    onPoint: async (step) => {
      if (step === 'spawned') taken(await cancel(at.as(BEN, mission), {}));
    },
  };
  const { state } = taken(await tryToRun(at, mission, undefined, { running: means }));
  expect(state.course!.end).toEqual({ outcome: 'cancelled', because: 'mission_cancelled' });
  expect(await eventsOf(at, mission, 'work.proposed')).toEqual([]);
  await expectCalledOff(at, mission, means);
});

it('of work that was verified delivers nothing', async () => {
  const at = await site();
  const { mission } = await approved(at);
  const means = { running: await running(at) };
  const onPoint = async (step: string): Promise<void> => {
    if (step === 'deliver') taken(await cancel(at.as(BEN, mission), {}));
  };
  const { state } = taken(await tryToRun(at, mission, undefined, { ...means, onPoint }));
  expect(courseOf(state)).toMatchObject({
    attempt: { status: 'cancelled', verdict: 'satisfied' },
    end: { outcome: 'cancelled' },
  });
  expect(await eventsOf(at, mission, 'effect.intended')).toEqual([]);
  await expectCalledOff(at, mission, means.running);
});

it('is refused once an effect is intended, and what was begun is finished', async () => {
  const at = await site();
  const { mission } = await approved(at);
  let answer: unknown;
  const onPoint = async (step: string): Promise<void> => {
    if (step === 'intended') answer = await cancel(at.as(BEN, mission), {});
  };
  const { state } = taken(await tryToRun(at, mission, undefined, { onPoint }));
  expect(answer).toMatchObject({ is: 'refused', code: 'effects_begun' });
  expect(state.course!.end?.outcome).toBe('done');
});

it('where the runner is gone, the end of its lease does the rest', async () => {
  const at = await site();
  const { mission } = await approved(at);
  const made = await running(at);
  const dying: Running = {
    ...made,
    onPoint: (step) => {
      if (step === 'spawned') throw new Error('the machine is gone');
    },
  };
  await expect(tryToRun(at, mission, undefined, { running: dying })).rejects.toThrow('the machine is gone');
  taken(await cancel(at.as(BEN, mission), {}));
  const may = new Set(['recover', 'end'] as const);
  const waiting = taken(await tryToRun(at, mission, undefined, { isAlone: false, may }));
  expect([waiting.next.is, waiting.took]).toEqual(['busy', []]);
  Object.assign(at.bench.parts.clock, { nowSeconds: () => Math.floor(Date.now() / 1000) + 24 * 3600 });
  const { state } = taken(await tryToRun(at, mission, undefined, { isAlone: false, may }));
  expect(courseOf(state)).toMatchObject({ cells: {}, lease: null, end: { outcome: 'cancelled' } });
  const [closed] = await eventsOf(at, mission, 'cell.closed');
  expect(closed!.payload).toMatchObject({ because: 'runner_lost', outcome: 'lost' });
  await expectCalledOff(at, mission, made);
});

it('looks no more once the cell is over, and leaves no timer behind', async () => {
  const at = await site();
  const { mission } = await approved(at);
  const { untilNextLook, tell, looks } = whenTold();
  tell();
  const means = { ...(await running(at)), untilNextLook };
  const { state } = taken(await tryToRun(at, mission, undefined, { running: means }));
  expect(state.course!.end?.outcome).toBe('done');
  const before = looks();
  expect(before).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks()).toBe(before);
});
