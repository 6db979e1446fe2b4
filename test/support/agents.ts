// Real agents for tests: the programs that the shipped presets name, installed once into the cache by the presets' own lock
// files, and cells with one of them at its place. Whoever cannot install them is told, and fails.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openCells, openEnvironments } from '../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import { listening } from '../../src/compose/listening.ts';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import { Environment } from '../../src/kernel/policy/environment.ts';
import type { Agent } from '../../src/kernel/policy/agent.ts';
import type { Route } from '../../src/kernel/policy/route.ts';
import type { Cells } from '../../src/ports/cells.ts';
import type { Mounted } from '../../src/ports/environments.ts';
import { cacheFolder, fillOnce } from './gitea/cache.ts';
import type { ToolCall } from './models/script.ts';
import { git } from './repos.ts';
import { taken } from './taken.ts';

const TEMPLATES = new URL('../../templates/agents/', import.meta.url);
/** Hundreds of megabytes, once. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

export type Preset = { readonly agent: Agent; readonly route: Route };

export function readPreset(name: string): Preset {
  const text = readFileSync(new URL(`${name}.yml`, TEMPLATES), 'utf8');
  const { agents, routes } = taken(readPolicyFile(`version: 1\nprofile: tried\n${text}`, `${name}.yml`));
  return { agent: agents[name]!, route: routes['openai']! };
}

/** By agent: how it calls its own tools. */
export const TOOLS: Readonly<Record<string, { shell: (text: string) => ToolCall; edit: (patch: string) => ToolCall }>> =
  {
    codex: {
      shell: (cmd) => ({ tool: 'exec', text: `text(await tools.exec_command(${JSON.stringify({ cmd })}))` }),
      edit: (patch) => ({ tool: 'exec', text: `text(await tools.apply_patch(${JSON.stringify(patch)}))` }),
    },
    opencode: {
      shell: (command) => ({ tool: 'bash', arguments: { command, description: 'as asked' } }),
      edit: (patchText) => ({ tool: 'apply_patch', arguments: { patchText } }),
    },
  };

type Around = { readonly origin: string; readonly environment: object };

/** A project's policy with the preset in it: its program from the cache, its model at `origin`, the key from MODEL_KEY. */
export async function policyWith(name: string, { origin, environment }: Around): Promise<(text: string) => string> {
  const { agent, route } = readPreset(name);
  const { version: _, ...definition } = agent;
  const agents = { ...definition, install: copied(await installed(agent), agent) };
  const routes = { openai: { ...route, origin, range: '127.0.0.0/8', key: 'env:MODEL_KEY' } };
  const rules = [
    { name: 'prepare', actions: ['network_read'], resources: ['prepare/**'], answer: 'require_approval' },
    { name: 'ask_model', actions: ['credentialed_api_call'], resources: ['routes/openai'], answer: 'require_approval' },
  ];
  return (text) =>
    text
      .replace(
        /^agents:$/m,
        () =>
          `environment: ${JSON.stringify({ deps: environment })}\nroutes: ${JSON.stringify(routes)}\nagents:\n  ${name}: ${JSON.stringify(agents)}`,
      )
      .replace(/^rules:$/m, `rules:\n${rules.map((rule) => `  - ${JSON.stringify(rule)}`).join('\n')}`);
}

export type Ready = {
  /** Of the cells, on the host. */
  readonly folder: string;
  readonly cells: Cells;
  readonly mounted: Mounted;
  readonly close: () => void;
};

/** Cells whose listeners are the real ones, and the agent as a prepared entry: copied from the cache, not fetched again. */
export async function ready(agent: Agent): Promise<Ready> {
  const from = await installed(agent);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-agent-')));
  // Passable for the users of cells, as /var/lib/lazarus is.
  chmodSync(folder, 0o711);
  const base = join(folder, 'base');
  mkdirSync(base);
  git(base, ['init', '-q', '.']);
  git(base, ['commit', '-q', '--allow-empty', '-m', 'base']);
  const at = { folder, repositories: workRepositories, listen: listening };
  const environments = openEnvironments(at);
  const found = await environments.find({
    name: 'agent',
    environment: copied(from, agent),
    project: { repository: join(base, '.git'), commit: git(base, ['rev-parse', 'HEAD']) },
    origin: 'base',
    caFile: null,
    at: 'agent',
  });
  const ran = await environments.prepare(found, {
    cellId: randomUUID(),
    requiredLevel: 2,
    requiredLimits: { cpu: 'none', memory: 'none', processes: 'none' },
    canaries: [],
    signal: new AbortController().signal,
  });
  if (ran.exitCode !== 0) throw new Error(`the agent could not be prepared:\n${ran.output}`);
  return {
    folder,
    cells: await openCells(at),
    mounted: await environments.mount([found]),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The agent's own program as policy could have it prepared from a folder of the host, without a registry. */
function copied(from: string, { install }: Agent): Environment {
  const { makes, megabytes } = install!;
  return Environment.parse({
    tools: [from],
    offline: makes.map((made) => ['cp', '-R', `${from}/${made}`, made]),
    makes,
    megabytes,
  });
}

/** npm compares every package with the digest in the preset's lock file. */
async function installed({ install, version }: Agent): Promise<string> {
  const { given, prepare, makes } = install!;
  const digest = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `agent-${version}-${digest}`);
  const program = join(...makes, '.package-lock.json');
  await fillOnce(folder, [program], (into) => {
    for (const [path, text] of Object.entries(given)) writeFileSync(join(into, path), text);
    for (const [command, ...args] of prepare)
      execFileSync(command!, [...args, '--cache', join(into, 'npm-cache')], {
        cwd: into,
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: INSTALL_TIMEOUT_MS,
      });
    execFileSync('rm', ['-rf', join(into, 'npm-cache')]);
    // Root installs it, and the user of a cell has to read it.
    execFileSync('chmod', ['-R', 'go+rX', into]);
    return Promise.resolve();
  });
  return folder;
}
