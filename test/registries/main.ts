// `npm run registries`: prepares small projects, as `policy add-environment --detect` would have it, in cells that reach the
// live registries of npm and PyPI and nobody else, and says what came of it. For people: no test reaches a live host.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { openCells, openEnvironments } from '../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import type { Listener } from '../../src/adapters/listener/listener.ts';
import { programPlace } from '../../src/adapters/system/program-places.ts';
import { listening } from '../../src/compose/listening.ts';
import { detectEnvironments, PROGRAMS } from '../../src/documents/detect-environment.ts';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import { AddressRange } from '../../src/kernel/network/hosts.ts';
import { Environment } from '../../src/kernel/policy/environment.ts';
import { fillOnce, cacheFolder } from '../support/gitea/cache.ts';
import { PROJECTS, type Project } from './projects.ts';

const HELP = `npm run registries -- [--agents] [--range <addresses>] [--ca-file <path>]

  --agents   the programs of templates/agents/ as well: 230 MB
  --range    where the registries' names lead to addresses that are not public, behind a mirror of yours: those addresses
  --ca-file  certificates that vouch for that mirror

Prepares a project each with npm, pnpm, pip and uv from registry.npmjs.org, pypi.org and files.pythonhosted.org, through the
listener of a cell, and runs a check with what came of it. pnpm and uv are fetched once. Ends with 1 if one failed.
`;
/** Programs that a machine may not have where cells see them. */
const PNPM = '9.15.9';
const UV = '0.13.8';
const PRESETS = ['codex', 'opencode'];

const { values: asked } = parseArgs({
  options: {
    agents: { type: 'boolean', default: false },
    range: { type: 'string' },
    'ca-file': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const caFile = asked['ca-file'] === undefined ? null : realpathSync(asked['ca-file']);

const PREPARING = {
  requiredLevel: 2,
  requiredLimits: { cpu: 'none', memory: 'none', processes: 'none' },
  canaries: [],
  signal: new AbortController().signal,
} as const;

type Wanted = {
  readonly name: string;
  readonly environment: Environment;
  readonly at: 'project' | 'agent';
  readonly files: Readonly<Record<string, string>>;
  readonly works: string;
};

process.exitCode = asked.help ? help() : await main();

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

async function main(): Promise<number> {
  if (asked.range !== undefined && !AddressRange.safeParse(asked.range).success) {
    process.stderr.write(`--range ${asked.range} is no range of addresses, such as 10.1.0.0/16\n\n${HELP}`);
    return 2;
  }
  const tools = await fetchedPrograms();
  const all = [...PROJECTS.map((project) => detected(project, tools)), ...(asked.agents ? PRESETS.map(preset) : [])];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-registries-')));
  // Passable for the users of cells, as /var/lib/lazarus is.
  chmodSync(folder, 0o711);
  let failed = 0;
  try {
    for (const one of all) if (!(await tried(one, folder))) failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
}

async function tried({ name, environment, at, files, works }: Wanted, folder: string): Promise<boolean> {
  const project = committed(files, join(folder, `project-${name}`));
  const listeners: Listener[] = [];
  const place = {
    folder: join(folder, name),
    repositories: workRepositories,
    listen: (...given: Parameters<typeof listening>) => {
      const listener = listening(...given);
      listeners.push(listener);
      return listener;
    },
  };
  mkdirSync(place.folder, { mode: 0o711 });
  const cells = await openCells(place);
  const environments = openEnvironments(place);
  const wanted = { ...environment, hosts: environment.hosts.map((host) => ({ ...host, range: asked.range ?? null })) };
  const found = await environments.find({ name, environment: wanted, project, origin: 'base', at, caFile });
  const began = performance.now();
  const run = await environments.prepare(found, { ...PREPARING, cellId: randomUUID() });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const reached = listeners.flatMap((one) => one.use().reached);
  const hosts = reached.map(
    ({ host, port, decision, because, bytesIn }) =>
      `  ${decision} ${host}:${port} ${decision === 'refused' ? because : `${bytesIn} bytes`}\n`,
  );
  const said = (what: string): void => void process.stdout.write(`${name}  ${what}\n${[...new Set(hosts)].join('')}`);
  if (run.exitCode !== 0) {
    said(`not prepared: ${run.reason}, exit code ${run.exitCode}, after ${seconds} s`);
    process.stdout.write(`${run.output}\n`);
    return false;
  }
  const check = await cells.runCheck({
    project,
    shellText: works,
    requiredLevel: 2,
    ...(await environments.mount([found])),
  });
  const [entry] = await environments.list();
  const isFit = check.exitCode === 0;
  said(
    `${isFit ? 'works' : 'does not work'}: ${check.output.trim().split('\n').at(-1)}; ` +
      `prepared in ${seconds} s, ${entry!.files} files, ${(entry!.bytes / 1e6).toFixed(1)} MB`,
  );
  return isFit;
}

function detected({ program, files, works }: Project, path: string): Wanted {
  const programs = Object.fromEntries(
    PROGRAMS.map((name) => [name, programPlace(name, path)] as const).filter(([, place]) => place !== undefined),
  );
  const [one] = detectEnvironments({ files, programs }).found;
  const environment = Environment.parse(parse(one!.text(program))[program]);
  return { name: program, environment, at: 'project', files, works: `${works} && ${program} --version` };
}

/** The agent's own package, as its preset has it. */
function preset(name: string): Wanted {
  const path = new URL(`../../../templates/agents/${name}.yml`, import.meta.url);
  const read = readPolicyFile(`version: 1\nprofile: tried\n${readFileSync(path, 'utf8')}`, path.pathname);
  if (read.is === 'refused') throw new Error(`${path.pathname} cannot be read: ${read.code}`);
  const { command, install } = read.value.agents[name]!;
  const works = `${command[0]} --version`;
  return { name, environment: install!, at: 'agent', files: { 'README.md': 'an agent\n' }, works };
}

function committed(files: Readonly<Record<string, string>>, folder: string) {
  mkdirSync(folder);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=try', '-c', 'user.email=try@example.invalid', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main', '.');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'project');
  return { repository: join(folder, '.git'), commit: git('rev-parse', 'HEAD') };
}

/** pnpm and uv in folders that cells can be given, fetched by this machine's own npm and pip; and a search path with them. */
async function fetchedPrograms(): Promise<string> {
  const pnpm = join(cacheFolder(), `pnpm-${PNPM}`);
  await fillOnce(pnpm, ['bin/pnpm'], async (into) => {
    fetched('npm', ['install', '--global', '--ignore-scripts', '--prefix', into, `pnpm@${PNPM}`], into);
  });
  const uv = join(cacheFolder(), `uv-${UV}`);
  await fillOnce(uv, ['bin/uv'], async (into) => {
    fetched('python3', ['-m', 'pip', 'install', '--quiet', '--target', into, `uv==${UV}`], into);
  });
  return [join(pnpm, 'bin'), join(uv, 'bin'), '/usr/local/bin', '/usr/bin'].filter((one) => existsSync(one)).join(':');
}

function fetched(program: string, args: readonly string[], into: string): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  // Root fetches it, and the user of a cell has to read it.
  execFileSync('chmod', ['-R', 'go+rX', into]);
}
