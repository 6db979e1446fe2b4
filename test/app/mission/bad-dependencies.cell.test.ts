// Whole missions whose dependencies somebody is after: the agent that uses them, whoever pushes a lock file between approval
// and run, whoever can write the cache, and the author of a package. Nothing of theirs runs, and the ledger verifies.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCells, openEnvironments } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { onLoopback, passableScratch } from '../../support/cells.ts';
import { NPM, npmPackage, npmProject } from '../../support/environments.ts';
import { nodeProject, weekdaysPackage } from '../../support/failing-projects.ts';
import { git } from '../../support/repos.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';
import { eventsOf, running, tryToRun } from './running.ts';
import { approved, fileAtBranch, site, viewOf, type Site } from './setting.ts';

const DONE = { outcome: 'done', because: 'verified' };
const LOCK = 'dep.lock';

/** What is prepared says what the lock file said; a mission's agent writes that down. */
const SAYS_LOCK = {
  files: [LOCK],
  prepare: [['/bin/sh', '-c', `mkdir deps && cp ${LOCK} deps/said`]],
  makes: ['deps'],
};

type Place = Site & { readonly cells: string };

async function siteWith(environment: object, files: Readonly<Record<string, string | Uint8Array>>): Promise<Place> {
  const rule = `{ name: prepare, actions: [network_read], resources: ['prepare/**'], answer: require_approval }`;
  const at = await site({
    policy: (text) =>
      text
        .replace(/^agents:$/m, () => `environment: ${JSON.stringify({ deps: environment })}\nagents:`)
        .replace(/^rules:$/m, () => `rules:\n  - ${rule}`),
  });
  push(at, files);
  return { ...at, cells: passableScratch() };
}

/** As somebody pushes them to the protected branch. */
function push({ folder }: Site, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    execFileSync('mkdir', ['-p', join(folder, path, '..')]);
    writeFileSync(join(folder, path), content);
  }
  git(folder, ['add', '-A', '-f']);
  git(folder, ['commit', '-q', '-m', 'dependencies']);
}

/** An agent of a shell text, beside the work that is asked for; `check` sees what it left of the dependencies. */
function missionOf(agent: string, check: string): string {
  return missionText({
    'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(`${agent}; sh tools/example-agent.sh`)}]`,
    '  - grep -q greet.sh docs/usage.md': `  - ${JSON.stringify(check)}`,
  });
}

async function run(at: Place, mission: string): Promise<NonNullable<MissionState['course']>> {
  const place = { folder: at.cells, repositories: workRepositories, listen: onLoopback };
  const means = { ...(await running(at)), cells: await openCells(place), environments: openEnvironments(place) };
  const { state } = taken(await tryToRun(at, mission, {}, { running: means }));
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
  return state.course!;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function keyOf(at: Site, mission: string): Promise<string> {
  const born = await eventsOf(at, mission, 'cell.spawned');
  return born.find(({ payload }) => payload.purpose === 'agent')!.payload.environment[0]!;
}

it('an agent that writes into prepared dependencies writes nowhere: its checks and the next mission have them whole', async () => {
  const at = await siteWith(SAYS_LOCK, { [LOCK]: 'one\n' });
  const agent = [
    '(echo evil > deps/said; rm -rf deps; mv deps elsewhere; chmod -R u+w deps; ln -sfn /tmp deps; mkdir -p deps/more) 2> heard',
    'mkdir -p docs; mv heard docs/heard.txt',
  ].join('; ');
  const { mission } = await approved(at, missionOf(agent, 'test "$(cat deps/said)" = one && test ! -e deps/more'));
  expect((await run(at, mission)).end).toEqual(DONE);
  const heard = fileAtBranch(at.folder, `lazarus-work/${missionName(mission)}/1`, 'docs/heard.txt');
  expect(heard).toContain('Read-only file system');
  const cache = openEnvironments({ folder: at.cells, repositories: workRepositories });
  expect(await cache.verify()).toEqual([{ key: await keyOf(at, mission), verdict: 'as_prepared' }]);
});

it('a lock file that changed between approval and run is not what runs: the approved one is, and later missions have another', async () => {
  const at = await siteWith(SAYS_LOCK, { [LOCK]: 'one\n' });
  const keep = 'mkdir -p docs; cp deps/said docs/said.txt';
  const { mission } = await approved(at, missionOf(keep, 'test "$(cat deps/said)" = one'));
  push(at, { [LOCK]: 'two\n' });
  expect((await run(at, mission)).end).toEqual(DONE);

  const next = await approved(at, missionOf(keep, 'test "$(cat deps/said)" = two'));
  expect((await run(at, next.mission)).end).toEqual(DONE);
  expect(await keyOf(at, next.mission)).not.toBe(await keyOf(at, mission));
});

it('an entry that was altered on disk runs nowhere: the attempt ends with its reason, and the next one has it prepared anew', async () => {
  const at = await siteWith(SAYS_LOCK, { [LOCK]: 'one\n' });
  const text = missionOf('mkdir -p docs; cp deps/said docs/said.txt', 'test "$(cat deps/said)" = one');
  const first = await approved(at, text);
  expect((await run(at, first.mission)).end).toEqual(DONE);
  const [entry = ''] = readdirSync(join(at.cells, 'environments'));
  const altered = join(at.cells, 'environments', entry, 'tree/deps/said');
  chmodSync(altered, 0o644);
  writeFileSync(altered, 'evil\n');
  chmodSync(altered, 0o444);

  const { mission } = await approved(at, text);
  const { end, steps } = await run(at, mission);
  expect(end).toBeNull();
  const [step] = Object.values(steps);
  expect(step!.attempt).toMatchObject({ status: 'failed', because: 'environment_altered' });
  expect((await viewOf(at, mission)).because).toMatchObject({
    code: 'environment_altered',
    next: expect.stringContaining('run it again'),
  });
  expect((await run(at, mission)).end).toEqual(DONE);
  expect(readFileSync(altered, 'utf8')).toBe('one\n');
  expect(await keyOf(at, mission)).toBe(await keyOf(at, first.mission));
});

it('a registry that answers with somebody else’s package is not believed: the lock file has the digest of the one that was meant', async () => {
  const meant = weekdaysPackage();
  let served = npmPackage('weekdays', { 'index.js': 'process.exit(0);' });
  const port = await portOf(createServer((_, response) => void response.end(served)));
  const integrity = `sha512-${createHash('sha512').update(meant).digest('base64')}`;
  const resolved = `http://registry.example:${port}/weekdays.tgz`;
  const { files, environment, isThere } = nodeProject({ host: 'registry.example', port }, { resolved, integrity });
  // npm asks again for what is not what the lock file says, after 10 and 60 seconds.
  const prepare = [['npm', 'ci', '--no-audit', '--no-fund', '--fetch-retries=0']];
  const at = await siteWith({ ...environment, prepare }, files);
  const { mission } = await approved(at, missionOf('true', isThere));
  const { end, steps } = await run(at, mission);
  expect(end).toBeNull();
  expect(Object.values(steps)[0]!.attempt).toMatchObject({ status: 'failed', because: 'environment_failed' });
  const closed = await eventsOf(at, mission, 'cell.closed');
  // The agent's cell was never begun. With nothing changed but the bytes that come, the same mission is done.
  expect(closed.map(({ payload }) => [payload.outcome, payload.exit_code])).toEqual([
    ['failed', 1],
    ['failed', null],
  ]);
  served = meant;
  expect((await run(at, mission)).end).toEqual(DONE);
});

it('a package whose install script calls home does not call: the script does not run, though its host may be reached', async () => {
  const heard: string[] = [];
  const port = await portOf(
    createServer(({ url }, response) => {
      heard.push(url!);
      response.end();
    }),
  );
  const calling = `curl -s http://registry.example:${port}/home`;
  const manifest = { name: 'dep', version: '1.0.0', main: 'index.js', scripts: { postinstall: calling } };
  const files = npmProject(npmPackage('dep', { 'package.json': JSON.stringify(manifest), 'index.js': '' }));
  const environment = { ...NPM, hosts: [{ host: 'registry.example', port, range: '127.0.0.0/8' }] };
  const text = missionOf('true', 'test -f node_modules/dep/index.js');

  const at = await siteWith(environment, files);
  const { mission } = await approved(at, text);
  expect((await run(at, mission)).end).toEqual(DONE);
  expect(heard).toEqual([]);
  // Where policy turns scripts on in the face of its own hosts, it does call.
  const careless = await siteWith({ ...environment, prepare: [['npm', 'ci', '--ignore-scripts=false']] }, files);
  const calls = await approved(careless, text);
  expect((await run(careless, calls.mission)).end).toEqual(DONE);
  expect(heard).toEqual(['/home']);
});
