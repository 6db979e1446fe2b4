// A mission whose commands need more than its tree: what is prepared is born in the ledger, found by agent and checks alike,
// made once, and made anew from work that changes what it was made of.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openCells, openEnvironments } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import type { Running } from '../../../src/app/mission/run.ts';
import { refusedWords } from '../../../src/forge-text/status-words.ts';
import { courseOf } from '../../../src/kernel/course/steps.ts';
import type { ReadEvent } from '../../../src/kernel/read.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import type { Reach } from '../../../src/ports/network.ts';
import { passableScratch } from '../../support/cells.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';
import { eventsOf, running, tryToRun } from './running.ts';
import { approved, LAPTOP, LAPTOP_SETTING, proposed, site, viewOf, type Site } from './setting.ts';
import { planMission } from '../../../src/app/mission/plan.ts';

type Born = Extract<ReadEvent, { event_type: 'cell.spawned' }>;

/** What is prepared says what the script said when it was made. */
const SAID = `mkdir deps && sh src/greet.sh > deps/said`;

function siteWith(command: string, files = ['src/greet.sh']): Promise<Site> {
  const environment = { deps: { files, prepare: [['/bin/sh', '-c', command]], makes: ['deps'] } };
  return site({ policy: (text) => text.replace(/^agents:$/m, `environment: ${JSON.stringify(environment)}\nagents:`) });
}

/** `verify`: what stands in the checks' cells. */
function mission(verify: string, agent: string): string {
  return missionText({
    'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(agent)}]`,
    'verify_command: sh test/greet.test.sh': `verify_command: ${JSON.stringify(verify)}`,
    '  - grep -q greet.sh docs/usage.md\n  - test "$(sh src/greet.sh Ada)" = "Hello, Ada!"': '  - test -d deps',
  });
}

async function means(at: Site, folder = passableScratch()): Promise<Running> {
  const place = { folder, repositories: workRepositories };
  return { ...(await running(at)), cells: await openCells(place), environments: openEnvironments(place) };
}

const AGENT = 'mkdir -p docs; cp deps/said docs/usage.md';

async function births(at: Site, id: string): Promise<readonly Born['payload'][]> {
  return (await eventsOf(at, id, 'cell.spawned')).map(({ payload }) => payload);
}

describe('what a mission’s commands need', () => {
  it('is prepared in a cell of the ledger before the agent, for agent and checks; the next mission finds it', async () => {
    const at = await siteWith(SAID);
    const folder = passableScratch();
    const text = mission('test -s deps/said && ! touch deps/more 2>/dev/null', AGENT);
    const first = await approved(at, text);
    const { state } = taken(await tryToRun(at, first.mission, {}, { running: await means(at, folder) }));
    expect(state.course!.end).toEqual({ outcome: 'done', because: 'verified' });
    const born = await births(at, first.mission);
    expect(born.map(({ purpose }) => purpose)).toEqual(['prepare', 'agent', 'check', 'check']);
    const [key] = born[0]!.environment;
    expect(born.map(({ environment }) => environment)).toEqual([[key], [key], [key], [key]]);
    const closed = await eventsOf(at, first.mission, 'cell.closed');
    expect(closed.map(({ payload }) => payload.outcome)).toEqual(Array(4).fill('completed'));
    const { report } = await at.bench.verify(missionRef(first.mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });

    const next = await approved(at, text);
    taken(await tryToRun(at, next.mission, {}, { running: await means(at, folder) }));
    const again = await births(at, next.mission);
    expect(again.map(({ purpose }) => purpose)).toEqual(['agent', 'check', 'check']);
    expect(again[0]!.environment).toEqual([key]);
  });

  it('is prepared anew for the checks of work that changes what it is made of, and for nobody else', async () => {
    const at = await siteWith(SAID);
    const folder = passableScratch();
    const agent = `echo 'echo changed' > src/greet.sh; ${AGENT}`;
    const changing = await approved(at, mission('test "$(cat deps/said)" = changed', agent));
    const { state } = taken(await tryToRun(at, changing.mission, {}, { running: await means(at, folder) }));
    expect(state.course!.end).toEqual({ outcome: 'done', because: 'verified' });
    const born = await births(at, changing.mission);
    expect(born.map(({ purpose }) => purpose)).toEqual(['prepare', 'agent', 'prepare', 'check', 'check']);
    const [base, ofAgent, work, ofCheck] = born.map(({ environment }) => environment[0]);
    expect(ofAgent).toBe(base);
    expect(work).not.toBe(base);
    expect(ofCheck).toBe(work);
    // The same bytes on the protected base would be another key: an entry of an attempt is that attempt's alone.
    const same = await approved(at, mission('test "$(cat deps/said)" = changed', agent));
    taken(await tryToRun(at, same.mission, {}, { running: await means(at, folder) }));
    const others = await births(at, same.mission);
    expect(others.map(({ purpose }) => purpose)).toEqual(['agent', 'prepare', 'check', 'check']);
    expect(others[1]!.environment).not.toEqual([work]);
  });

  it('that the agent takes away ends the attempt with its reason, and lets everything go', async () => {
    const at = await siteWith(SAID);
    const { mission: id } = await approved(at, mission('true', `rm src/greet.sh; ${AGENT}`));
    const { state } = taken(await tryToRun(at, id, {}, { running: await means(at) }));
    expect(state.course!.end).toEqual({ outcome: 'failed', because: 'environment_file_missing' });
  });

  it('that cannot be prepared from what the agent changed ends the attempt by a reason of its own, without another try', async () => {
    const at = await siteWith(SAID);
    const { mission: id } = await approved(at, mission('true', `echo exit 7 > src/greet.sh; ${AGENT}`));
    const { state } = taken(await tryToRun(at, id, {}, { running: await means(at) }));
    expect(state.course!.end).toEqual({ outcome: 'failed', because: 'check_environment_failed' });
    const closed = await eventsOf(at, id, 'cell.closed');
    // What was prepared for the agent, the agent, what was to be prepared for the checks, and these, which never began.
    expect(closed.map(({ payload }) => payload.exit_code)).toEqual([0, 0, 7, null, null]);
    expect(await eventsOf(at, id, 'verification.recorded')).toEqual([]);
  });

  it('that finds no room on the disk costs an attempt, and not the mission', async () => {
    const at = await siteWith(SAID);
    const { mission: id } = await approved(at, mission('true', AGENT));
    const here = await means(at);
    const environments = { ...here.environments, prepare: () => writeFile('/dev/full', 'x') as never };
    const { state } = taken(await tryToRun(at, id, {}, { running: { ...here, environments } }));
    expect(courseOf(state)).toMatchObject({ attempt: { no: 1, status: 'failed', because: 'disk_full' }, end: null });
  });

  it('that cannot be prepared ends the attempt before the agent runs, by no fault of the work', async () => {
    const at = await siteWith('echo no such registry >&2; exit 7');
    const { mission: id } = await approved(at, mission('true', AGENT));
    const { state } = taken(await tryToRun(at, id, {}, { running: await means(at) }));
    const { steps, end } = state.course!;
    expect(end).toBeNull();
    expect(Object.values(steps)[0]!.attempt).toMatchObject({ status: 'failed', because: 'environment_failed' });
    const closed = await eventsOf(at, id, 'cell.closed');
    expect(closed.map(({ payload }) => [payload.outcome, payload.exit_code])).toEqual([
      ['failed', 7],
      ['failed', null],
    ]);
  });

  it('that asked for a host which policy does not name has that host in the status, with the words for it', async () => {
    const prepare = [['/bin/sh', '-c', 'curl -sSf http://elsewhere.example:8080/dep || exit 7']];
    const environment = { deps: { prepare, hosts: ['packages.example'], makes: ['deps'] } };
    const rule = '  - {name: prepare, actions: [network_read], answer: require_approval}\n';
    const at = await site({
      policy: (text) =>
        text
          .replace(/^agents:$/m, `environment: ${JSON.stringify(environment)}\nagents:`)
          .replace(/^rules:\n/m, `rules:\n${rule}`),
    });
    const { mission: id } = await approved(at, mission('true', AGENT));
    const place = {
      folder: passableScratch(),
      repositories: workRepositories,
      listen: (reach: Pick<Reach, 'hosts'>) => openListener(reach),
    };
    const withListener = { cells: await openCells(place), environments: openEnvironments(place) };
    taken(await tryToRun(at, id, {}, { running: { ...(await means(at)), ...withListener } }));
    const { refused } = await viewOf(at, id);
    expect(refused).toEqual([{ host: 'elsewhere.example', port: 8080, because: 'host_not_listed' }]);
    expect(refused.map(refusedWords)[0]).toContain('policy could allow it: hosts: ["elsewhere.example:8080"]');
  });

  it('and that names a file which the base does not have is not planned', async () => {
    const at = await siteWith(SAID, ['package-lock.json']);
    const id = await proposed(at, mission('true', AGENT));
    expect(await planMission(at.as(LAPTOP, id), LAPTOP_SETTING)).toMatchObject({
      code: 'environment_file_missing',
      facts: { path: 'package-lock.json' },
    });
  });
});
