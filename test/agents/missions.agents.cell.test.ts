// Whole missions by unmodified agents, from the proposal to the branch: a Node and a Python repository, each with a dependency
// that a registry serves, a test that fails, and a scripted model that has the agent mend it.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openListener } from '../../src/adapters/listener/listener.ts';
import { openRoutes } from '../../src/adapters/listener/route.ts';
import { openCells, openEnvironments } from '../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import type { OpenDoor } from '../../src/adapters/cells/reach.ts';
import { missionFileText } from '../../src/documents/short-mission.ts';
import { missionName } from '../../src/kernel/values.ts';
import { missionRef } from '../../src/ledger/names.ts';
import { eventsOf, running, tryToRun } from '../app/mission/running.ts';
import { approved, fileAtBranch, site, viewOf, type Site } from '../app/mission/setting.ts';
import { copied, installed, readPreset } from '../support/agents.ts';
import { passableScratch } from '../support/cells.ts';
import { npmPackage, wheel } from '../support/environments.ts';
import { startModel } from '../support/models/endpoint.ts';
import type { Script, ToolCall } from '../support/models/script.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { scratch } from '../support/repos.ts';
import { taken } from '../support/taken.ts';

const REGISTRY = 'registry.example';
const MINUTES = 5 * 60_000;

type Files = Readonly<Record<string, string>>;
type Repository = {
  readonly files: (registry: string) => Files;
  readonly environment: (registry: string, port: number) => object;
  readonly served: Readonly<Record<string, Uint8Array | string>>;
  readonly verify: string;
  readonly owns: string;
  readonly patch: string;
  readonly mended: string;
};

function node(): Repository {
  const tarball = npmPackage('weekdays', {
    'index.js': "module.exports = ['sunday', 'monday', 'tuesday', 'friday'];\n",
  });
  return {
    files: (registry) => ({
      'package.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        scripts: { test: 'node --test test/' },
        dependencies: { weekdays: '1.0.0' },
      }),
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'app', version: '1.0.0', dependencies: { weekdays: '1.0.0' } },
          'node_modules/weekdays': {
            version: '1.0.0',
            resolved: `${registry}/weekdays.tgz`,
            integrity: `sha512-${Buffer.from(nodeCrypto.hash('sha512', tarball)).toString('base64')}`,
          },
        },
      }),
      'src/day.js': "const names = require('weekdays');\nmodule.exports = (n) => names[n + 1];\n",
      'test/day.test.js':
        "const { test } = require('node:test');\nconst { equal } = require('node:assert');\nconst day = require('../src/day.js');\ntest('names a day', () => equal(day(3), 'friday'));\n",
    }),
    environment: (_, port) => ({
      files: ['package.json', 'package-lock.json'],
      prepare: [['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts']],
      hosts: [{ host: REGISTRY, port, range: '127.0.0.0/8' }],
      makes: ['node_modules'],
      path: ['node_modules/.bin'],
    }),
    served: { '/weekdays.tgz': tarball },
    verify: 'npm test',
    owns: 'src/day.js',
    patch:
      '*** Begin Patch\n*** Update File: src/day.js\n@@\n-module.exports = (n) => names[n + 1];\n+module.exports = (n) => names[n];\n*** End Patch\n',
    mended: "const names = require('weekdays');\nmodule.exports = (n) => names[n];\n",
  };
}

function python(): Repository {
  const { file, bytes } = wheel('weekdays', "NAMES = ['sunday', 'monday', 'tuesday', 'friday']\n");
  return {
    files: () => ({
      '.gitignore': '__pycache__/\n',
      'requirements.txt': 'weekdays==1.0\n',
      'day.py': 'from weekdays import NAMES\n\n\ndef day(n):\n    return NAMES[n + 1]\n',
      'test_day.py':
        "import unittest\n\nfrom day import day\n\n\nclass Day(unittest.TestCase):\n    def test_names_a_day(self):\n        self.assertEqual(day(3), 'friday')\n",
    }),
    environment: (registry, port) => ({
      files: ['requirements.txt'],
      prepare: [
        ['/usr/bin/python3', '-m', 'venv', '.venv'],
        [
          '.venv/bin/pip',
          'install',
          '--index-url',
          `${registry}/simple/`,
          '--trusted-host',
          REGISTRY,
          '-r',
          'requirements.txt',
        ],
      ],
      hosts: [{ host: REGISTRY, port, range: '127.0.0.0/8' }],
      makes: ['.venv'],
      path: ['.venv/bin'],
    }),
    served: {
      '/simple/weekdays/': `<a href="../../${file}">${file}</a>`,
      [`/${file}`]: bytes,
    },
    verify: 'python -m unittest -q',
    owns: 'day.py',
    patch:
      '*** Begin Patch\n*** Update File: day.py\n@@\n-    return NAMES[n + 1]\n+    return NAMES[n]\n*** End Patch\n',
    mended: 'from weekdays import NAMES\n\n\ndef day(n):\n    return NAMES[n]\n',
  };
}

/** By agent: how it calls its own tools. */
const TOOLS: Readonly<Record<string, { shell: (text: string) => ToolCall; edit: (patch: string) => ToolCall }>> = {
  codex: {
    shell: (cmd) => ({ tool: 'exec', text: `text(await tools.exec_command(${JSON.stringify({ cmd })}))` }),
    edit: (patch) => ({ tool: 'exec', text: `text(await tools.apply_patch(${JSON.stringify(patch)}))` }),
  },
  opencode: {
    shell: (command) => ({ tool: 'bash', arguments: { command, description: 'as asked' } }),
    edit: (patchText) => ({ tool: 'apply_patch', arguments: { patchText } }),
  },
};

describe.each([
  ['codex', 'a Node repository', node],
  ['opencode', 'a Python repository', python],
] as const)('%s on %s', (name, _, make) => {
  it('mends the test that fails, with the dependencies there for agent and checks', { timeout: MINUTES }, async () => {
    const repository = make();
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
    const port = await served(repository.served);
    const at = await repositoryWith(name, repository, { origin: model.origin, port });
    const { verify, owns } = repository;
    const text = missionFileText({ ...LINE, agent: name, verify, owns: [owns] });
    const { mission } = await approved(at, text);

    const folder = passableScratch();
    const place = { folder, repositories: workRepositories, listen };
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
    expect(born[0]!.reach).toEqual([`prepare/${REGISTRY}:${port}`]);
    expect(born[2]!.reach).toEqual(['routes/openai']);
    expect(born[3]!).toMatchObject({ environment: [born[0]!.environment[0]], reach: [] });
    const { spent, refused } = await viewOf(at, mission);
    expect(spent).toMatchObject([{ route: 'openai', calls: 4 }]);
    expect(refused).toEqual([]);
    expect(everything(at.folder)).not.toContain(key);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });
});

const LINE = { goal: 'Mend the failing test', checks: [], base: 'main', tier: 1, minutes: 5, purpose: '' };

/** The registry's name belongs to nobody: it means this machine, for these listeners. */
const listen: OpenDoor = (reach, end) => {
  const routes = openRoutes({ ...reach, onCut: () => end('route_limit') });
  return openListener(reach, { places: [routes], resolve: () => Promise.resolve(['127.0.0.1']) });
};

async function served(files: Repository['served']): Promise<number> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url!, 'http://x').pathname];
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, typeof file === 'string' ? { 'content-type': 'text/html' } : {}).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Outside = { readonly origin: string; readonly port: number };

async function repositoryWith(name: string, repository: Repository, { origin, port }: Outside): Promise<Site> {
  const folder = scratch();
  const registry = `http://${REGISTRY}:${port}`;
  for (const [path, text] of Object.entries(repository.files(registry))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { agent, route } = readPreset(name);
  const { version: _, ...definition } = agent;
  const own = { ...definition, install: copied(await installed(agent), agent) };
  const policy = {
    environment: { deps: repository.environment(registry, port) },
    routes: { openai: { ...route, origin, range: '127.0.0.0/8', key: 'env:MODEL_KEY' } },
  };
  const rules = [
    { name: 'prepare', actions: ['network_read'], resources: ['prepare/**'], answer: 'require_approval' },
    { name: 'ask_model', actions: ['credentialed_api_call'], resources: ['routes/openai'], answer: 'require_approval' },
  ];
  return site({
    folder,
    policy: (text) =>
      text
        .replace(
          /^agents:$/m,
          `environment: ${JSON.stringify(policy.environment)}\nroutes: ${JSON.stringify(policy.routes)}\nagents:\n  ${name}: ${JSON.stringify(own)}`,
        )
        .replace(/^rules:$/m, `rules:\n${rules.map((rule) => `  - ${JSON.stringify(rule)}`).join('\n')}`),
  });
}

/** Every object of the repository, as text. */
function everything(folder: string): string {
  const ids = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: folder });
  const all = execFileSync('git', ['cat-file', '--batch'], { cwd: folder, input: ids, maxBuffer: 1 << 28 });
  return all.toString('latin1');
}
