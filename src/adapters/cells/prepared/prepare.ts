// Prepares one environment: its commands one after another, each in a fresh sandbox of the same kind as cells, in a project
// folder that has the named files and nothing else. No secret, no repository, no port. Only what it makes is kept.
import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import type { PreparedFile } from '../../../kernel/policy/environment-key.ts';
import type { CheckRun, Residue } from '../../../ports/cells.ts';
import type { FoundEnvironment, PreparingCell } from '../../../ports/environments.ts';
import { openCell, type Parts } from '../cells.ts';
import type { Folders, User } from '../folders.ts';
import { removeTree } from '../remove-tree.ts';
import { runCell } from '../run-cell.ts';
import type { Entries } from './entries.ts';
import { takeOut } from './take-out.ts';

const MINUTE_MS = 60_000;
const OUTPUT_CHARACTERS_MAX = 64 * 1024;
const FILES_MAX = 200_000;
const MEBIBYTE = 1 << 20;
/** Package programs unpack there; it counts as memory of the cell. */
const TEMPORARY_BYTES = 1 << 30;

/**
 * A package that is built here would run its author's scripts while hosts can be reached. npm's are off in every cell;
 * whoever wants one built names it in a command under `offline`, and says so to the program in words of its own.
 */
const BUILDS_NOTHING = { PIP_ONLY_BINARY: ':all:', UV_NO_BUILD: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };

type Order = {
  readonly found: FoundEnvironment;
  readonly files: readonly PreparedFile[];
  readonly cell: PreparingCell;
};

/** Only with exit code 0 is there an entry: whatever else it comes to stands in the output, and nothing is kept. */
export async function prepareEntry(parts: Parts, entries: Entries, order: Order): Promise<CheckRun> {
  const { found, cell } = order;
  const { environment, key, name, origin } = found;
  const steps = [
    ...environment.prepare.map((argv) => ({ argv, hosts: environment.hosts })),
    ...environment.offline.map((argv) => ({ argv, hosts: [] })),
  ];
  const until = performance.now() + environment.minutes * MINUTE_MS;
  const { aside, tree } = await entries.begin();
  const carried = join(aside, 'made');
  let run: CheckRun = { ...NOTHING_RAN, level: cell.requiredLevel };
  try {
    for (const [n, step] of steps.entries()) {
      const wallMs = Math.max(1, Math.floor(until - performance.now()));
      run = together(run, await runStep(parts, order, { ...step, n, wallMs, carried }));
      if (run.exitCode !== 0) return run;
    }
    const bounds = { bytes: environment.megabytes * MEBIBYTE, files: FILES_MAX };
    const taken = await takeOut(join(carried, 'project'), tree, environment, bounds);
    if (taken.is !== 'taken') {
      const output = `${run.output}lazarus: ${taken.path} ${taken.why}: nothing was kept\n`;
      if (taken.is === 'too_large') return { ...run, output, exitCode: null, reason: 'disk_limit' };
      return { ...run, output, exitCode: 1 };
    }
    await removeTree(carried);
    const { files, bytes } = taken;
    const madeAtSeconds = Math.floor(Date.now() / 1000);
    await entries.keep(aside, { key, environment: name, origin, madeAtSeconds, files, bytes });
    return run;
  } finally {
    await removeTree(aside);
  }
}

const NO_RESIDUE: Residue = {
  processes: 0,
  cgroups: 0,
  mounts: 0,
  openPlaces: 0,
  temporaryFiles: 0,
  sharedMemory: 0,
  sockets: 0,
  folders: 0,
};
const NOTHING_RAN = {
  exitCode: 0,
  reason: 'exited',
  output: '',
  reached: [],
  residue: NO_RESIDUE,
} as const;

/** What the commands have come to so far; the last one says how it went. */
function together(before: CheckRun, now: CheckRun): CheckRun {
  const residue = Object.fromEntries(
    Object.entries(before.residue).map(([name, count]) => [name, count + now.residue[name as keyof Residue]]),
  ) as Residue;
  const output = `${before.output}${now.output}`.slice(0, OUTPUT_CHARACTERS_MAX);
  return { ...now, output, reached: [...before.reached, ...now.reached], residue };
}

type Step = {
  readonly argv: readonly string[];
  readonly hosts: FoundEnvironment['environment']['hosts'];
  readonly n: number;
  readonly wallMs: number;
  /** Where its folders lie between two commands. */
  readonly carried: string;
};

async function runStep(parts: Parts, { found, files, cell: order }: Order, step: Step): Promise<CheckRun> {
  const { environment, caFile } = found;
  const { cellId, signal, requiredLevel, requiredLimits, canaries } = order;
  let folders: Folders | undefined;
  const cell = await openCell(
    parts,
    {
      cellId,
      participant: 'prepare',
      role: 'executor',
      // Part of a folder's name, so that each command has one of its own under one cell's user.
      epoch: step.n,
      project: null,
      command: { argv: step.argv },
      env: BUILDS_NOTHING,
      // Where it is made, whatever it is mounted as later.
      path: environment.path.map((path) => (path.startsWith('/') ? path : `/cell/project/${path}`)),
      tools: environment.tools,
      limits: {
        wallMs: step.wallMs,
        diskBytes: environment.megabytes * MEBIBYTE,
        temporaryBytes: TEMPORARY_BYTES,
      },
      requiredLevel,
      requiredLimits,
      canaries,
      ...(step.hosts.length === 0
        ? {}
        : { reach: { hosts: step.hosts, routes: [], ...(caFile === null ? {} : { caFile }) } }),
    },
    {
      port: false,
      furnish: (made, user) => {
        folders = made;
        if (step.n === 0) placeFiles(made.project, [...files, ...givenFiles(environment.given)], user);
        else move({ project: join(step.carried, 'project'), home: join(step.carried, 'home') }, made);
      },
    },
  );
  const run = await runCell(cell, {
    signal,
    charactersMax: OUTPUT_CHARACTERS_MAX,
    async onEnded() {
      // Nothing of it runs any more: what it wrote can be moved on.
      await cell.kill();
      carryOn(folders!, step);
    },
  });
  return { ...run, output: `$ ${step.argv.join(' ')}\n${run.output}${refusedHosts(run)}` };
}

/** In the words that policy knows: whoever reads why a download failed sees what would have let it through. */
function refusedHosts({ reached }: CheckRun): string {
  return reached
    .filter(({ decision }) => decision === 'refused')
    .map((host) => `lazarus: ${host.host}:${host.port} was refused: ${host.because}\n`)
    .join('');
}

function givenFiles(given: Readonly<Record<string, string>>): readonly PreparedFile[] {
  return Object.entries(given).map(([path, text]) => ({ path, mode: '100644', bytes: utf8(text) }));
}

/** Into an empty folder that nobody was in yet. A path that stands in both lists is refused, whoever meant what by it. */
function placeFiles(project: string, files: readonly PreparedFile[], user: User | undefined): void {
  const own = (path: string, mode: number): void => {
    chmodSync(path, mode);
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  const twice = files.find(({ path }, n) => files.findIndex((other) => other.path === path) !== n);
  if (twice !== undefined) throw new Failure('environment_file_missing', { path: twice.path, why: 'is given as well' });
  for (const { path, mode, bytes } of files) {
    const steps = path.split('/').slice(0, -1);
    for (const [i] of steps.entries()) {
      const folder = join(project, ...steps.slice(0, i + 1));
      if (mkdirSync(folder, { recursive: true }) !== undefined) own(folder, 0o755);
    }
    writeFileSync(join(project, path), bytes, { flag: 'wx' });
    own(join(project, path), mode === '100755' ? 0o755 : 0o644);
  }
}

type Moved = Pick<Folders, 'project' | 'home'>;

function carryOn(folders: Folders, { carried }: Step): void {
  mkdirSync(carried, { recursive: true, mode: 0o700 });
  move(folders, { project: join(carried, 'project'), home: join(carried, 'home') });
}

function move(from: Moved, to: Moved): void {
  for (const name of ['project', 'home'] as const) {
    // Its owner moves a folder only while allowed to write to it, whatever the command made of that.
    chmodSync(from[name], 0o700);
    renameSync(from[name], to[name]);
  }
}
