// Whole missions by unmodified agents, from the proposal to the branch: a Node and a Python repository, each with a dependency
// that a registry serves, a test that fails, and a scripted model that has the agent mend it.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCells, openEnvironments } from '../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import { missionFileText } from '../../src/documents/short-mission.ts';
import { missionName } from '../../src/kernel/values.ts';
import { missionRef } from '../../src/ledger/names.ts';
import { eventsOf, running, tryToRun } from '../app/mission/running.ts';
import { approved, fileAtBranch, site, viewOf, type Site } from '../app/mission/setting.ts';
import { policyWith, TOOLS } from '../support/agents.ts';
import { onLoopback, passableScratch } from '../support/cells.ts';
import {
  nodeProject,
  pythonProject,
  weekdaysPackage,
  weekdaysWheel,
  type FailingProject,
} from '../support/failing-projects.ts';
import { startModel } from '../support/models/endpoint.ts';
import type { Script } from '../support/models/script.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { everyObject, scratch } from '../support/repos.ts';
import { taken } from '../support/taken.ts';

const REGISTRY = 'registry.example';
const MINUTES = 5 * 60_000;

async function node(): Promise<FailingProject> {
  const tarball = weekdaysPackage();
  const port = await served({ '/weekdays.tgz': tarball });
  const integrity = `sha512-${Buffer.from(nodeCrypto.hash('sha512', tarball)).toString('base64')}`;
  return nodeProject({ host: REGISTRY, port }, { resolved: `http://${REGISTRY}:${port}/weekdays.tgz`, integrity });
}

async function python(): Promise<FailingProject> {
  const { file, bytes } = weekdaysWheel();
  const port = await served({ '/simple/weekdays/': `<a href="../../${file}">${file}</a>`, [`/${file}`]: bytes });
  const sha256 = Buffer.from(nodeCrypto.hash('sha256', bytes)).toString('hex');
  return pythonProject({ host: REGISTRY, port }, `http://${REGISTRY}:${port}/simple/`, sha256);
}

describe.each([
  ['codex', 'a Node repository', node],
  ['opencode', 'a Python repository', python],
] as const)('%s on %s', (name, _, make) => {
  it('mends the test that fails, with the dependencies there for agent and checks', { timeout: MINUTES }, async () => {
    const repository = await make();
    const { shell, edit } = TOOLS[name]!;
    const script: Script = [
      { say: 'I look why it fails.', calls: [shell(repository.verify)] },
      { calls: [edit(repository.patch)] },
      { calls: [shell(repository.verify)] },
      { say: 'It passes now.' },
    ];
    const key = `sk-canary-${randomBytes(18).toString('hex')}`;
    const model = await startModel({ key, script });
    onTestFinished(model.close);
    const at = await repositoryWith(name, repository, model.origin);
    const { verify, owns } = repository;
    const text = missionFileText({ ...LINE, agent: name, verify, owns: [owns] });
    const { mission } = await approved(at, text);

    const folder = passableScratch();
    const place = { folder, repositories: workRepositories, listen: onLoopback };
    const means = {
      ...(await running(at)),
      cells: await openCells(place),
      environments: openEnvironments(place),
      secrets: { resolve: () => Promise.resolve(key) },
    };
    const { state } = taken(await tryToRun(at, mission, {}, { running: means }));
    expect(state.course!.end).toEqual({ outcome: 'done', because: 'verified' });
    expect(fileAtBranch(at.folder, `lazarus-work/${missionName(mission)}/1`, owns)).toBe(repository.mended);

    // The agent's first look failed by the bug, and its last did not; a missing dependency would have said something else.
    const answers = model.asked.map(({ body }) => body);
    expect(answers[1]).toMatch(/undefined|out of range|FAILED|not equal/);
    expect(answers.at(-1)).not.toMatch(/Cannot find module|ModuleNotFoundError/);
    expect(model.asked.every((one) => one.key === 'right' && !one.holdsKey)).toBe(true);
    const born = (await eventsOf(at, mission, 'cell.spawned')).map(({ payload }) => payload);
    expect(born.map(({ purpose }) => purpose)).toEqual(['prepare', 'prepare', 'agent', 'check']);
    expect(born[0]!.reach).toEqual([expect.stringMatching(new RegExp(`^prepare/${REGISTRY}:\\d+$`))]);
    expect(born[2]!.reach).toEqual(['routes/openai']);
    expect(born[3]!).toMatchObject({ environment: [born[0]!.environment[0]], reach: [] });
    const { spent, refused } = await viewOf(at, mission);
    expect(spent).toMatchObject([{ route: 'openai', calls: 4 }]);
    expect(refused).toEqual([]);
    expect(everyObject(at.folder)).not.toContain(key);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });
});

const LINE = { goal: 'Mend the failing test', checks: [], base: 'main', tier: 1, minutes: 5, purpose: '' };

async function served(files: Readonly<Record<string, Uint8Array | string>>): Promise<number> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url!, 'http://x').pathname];
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, typeof file === 'string' ? { 'content-type': 'text/html' } : {}).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function repositoryWith(name: string, { files, environment }: FailingProject, origin: string): Promise<Site> {
  const folder = scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return site({ folder, policy: await policyWith(name, { origin, environment }) });
}
