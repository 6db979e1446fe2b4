// A run's own failures: whatever breaks while a cell runs or its work is taken, the attempt is handed over with a reason,
// its lease is let go, and no folder of it is left.
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Running } from '../../../src/app/mission/run.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { documentOf, eventsOf, run, running, tryToRun } from './running.ts';
import { approved, site, viewOf } from './setting.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

function agent(script: string): string {
  return missionText({ 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(script)}]` });
}

const BROKEN: Record<string, (running: Running) => Partial<Running>> = {
  'while its output is shown': () => ({
    onOutput() {
      throw new RangeError('Maximum call stack size exceeded');
    },
  }),
  'while its work is taken': ({ repositories }) => ({
    repositories: { ...repositories, objectsOf: () => Promise.reject(new RangeError('Invalid array length')) },
  }),
  'while it is checked': ({ cells }) => ({
    cells: { ...cells, runCheck: () => Promise.reject(new Error('of another kind')) },
  }),
};

it.each(Object.keys(BROKEN))('an exception %s ends in an attempt that is handed over', async (when) => {
  const at = await site();
  const { mission } = await approved(at, agent('echo begun; sh tools/example-agent.sh'));
  const means = await running(at);
  const { state } = taken(await tryToRun(at, mission, undefined, { running: { ...means, ...BROKEN[when]!(means) } }));
  expect(courseOf(state)).toMatchObject({
    lease: null,
    attempt: { no: 1, status: 'failed' },
    end: { outcome: 'failed', because: 'supervision_failed' },
  });
  const closed = await eventsOf(at, mission, 'cell.closed');
  const { payload } = closed.find(({ payload: { because } }) => because === 'supervision_failed') ?? closed[0]!;
  const { trouble } = await documentOf(at, mission, payload.facts);
  expect(trouble.why).toMatch(/^(?:Range)?Error$/);
  expect((await viewOf(at, mission)).attempt!.failure!.known).toContain(`${trouble.code}: ${trouble.why}`);
  const folder = join(means.mirror, '..');
  expect(readdirSync(join(folder, 'cells'))).toEqual([]);
});

it('a disk that is full when the work is taken is not said to be the agent’s failure, nor the work’s', async () => {
  const at = await site();
  const { mission } = await approved(at, agent('sh tools/example-agent.sh'));
  const means = await running(at);
  const cells: Running['cells'] = {
    ...means.cells,
    spawn: async (spec) => ({
      ...(await means.cells.spawn(spec)),
      takeWork: () => writeFile('/dev/full', 'x') as never,
    }),
  };
  const { state } = taken(await tryToRun(at, mission, undefined, { running: { ...means, cells } }));
  expect(state.course!.end).toEqual({ outcome: 'failed', because: 'supervision_failed' });
  const [closed] = await eventsOf(at, mission, 'cell.closed');
  expect((await documentOf(at, mission, closed!.payload.facts)).trouble).toEqual({ code: 'disk_full', why: '' });
});

it('a disk that is full before anything ran costs an attempt, and not the mission', async () => {
  const at = await site();
  const { mission } = await approved(at, agent('sh tools/example-agent.sh'));
  const means = await running(at);
  const full: Running['cells'] = { ...means.cells, spawn: () => writeFile('/dev/full', 'x') as never };
  const { state } = taken(await tryToRun(at, mission, undefined, { running: { ...means, cells: full } }));
  expect(courseOf(state)).toMatchObject({ attempt: { no: 1, status: 'failed', because: 'disk_full' }, end: null });
});

it('a line nested five thousand deep says nothing, and its work counts', async () => {
  const at = await site();
  const deep = `perl -e 'print "{\\"kind\\":\\"done\\",\\"body\\":", "[" x 5000, "]" x 5000, "}\\n"' >&3`;
  const script = `sh tools/example-agent.sh; ${deep}; perl -e 'print "[" x 90000, "]" x 90000' > $HOME/done.json`;
  const { mission } = await approved(at, agent(script));
  expect(missionStatus((await run(at, mission)).state)).toBe('done');
  const [claim] = await eventsOf(at, mission, 'done.claimed');
  expect(claim!.payload.status).toBe('unreadable');
});
