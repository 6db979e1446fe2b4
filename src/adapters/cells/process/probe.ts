// Whether this machine can make a cell, found out by making one and looking at it from inside. A program's version says
// nothing: the kernel may forbid what it needs.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../failure.ts';
import type { CellLimits, ProbedListener } from '../../../ports/cells.ts';
import { runProgram } from '../../system/run-program.ts';
import type { Fence, ProbedHere } from '../backend.ts';
import { makeFolders, type User } from '../folders.ts';
import { DEFAULT_LIMITS, HOLDS } from '../limits.ts';
import { removeTree } from '../remove-tree.ts';
import { runErrand, type Launcher } from '../errand.ts';
import { LISTENER_PORT, type Network, type Networks } from './network.ts';

const PROBE_TIMEOUT_MS = 10_000;

type Ground = {
  readonly folder: string;
  /** Where bwrap is looked for. */
  readonly programs: string;
  readonly launch: Launcher;
  readonly networks: Networks;
  readonly userOf: (id: string) => User | undefined;
  readonly fence: (name: string, limits: CellLimits) => Promise<Fence>;
};

/** Once per process: nothing that it depends on changes while one runs. */
export function makeProbe(ground: Ground) {
  let known: Promise<ProbedHere> | undefined;
  let told: Promise<string | null> | undefined;
  const version = (): Promise<string | null> => (told ??= askVersion(ground.programs));
  const probe = (): Promise<ProbedHere> => (known ??= look(ground, version));
  return { probe, probeListener: () => lookForListener(ground), version };
}

async function look(ground: Ground, version: () => Promise<string | null>): Promise<ProbedHere> {
  if (process.platform !== 'linux') return unfit('sandbox_unfit', `cells need Linux, this is ${process.platform}`);
  const bubblewrap = await version();
  if (bubblewrap === null) return unfit('sandbox_missing', 'no bwrap in the system’s folders');
  const user = ground.userOf('probe');
  try {
    const { text, kind } = await ask(ground, user, '/proc/self/status');
    const inside = fieldsOf(text);
    const wrong = Object.entries(EXPECTED).find(([name, value]) => inside[name] !== value);
    if (wrong !== undefined) return unfit('sandbox_unfit', `${wrong[0]} is ${inside[wrong[0]]} inside`);
    const facts = { bubblewrap, arch: process.arch, drops_root: user !== undefined };
    return { is: 'fit', backend: 'process', level: 2, limits: HOLDS[kind], facts };
  } catch (cause) {
    const isMissing = cause instanceof Failure && cause.code === 'sandbox_missing';
    return unfit(isMissing ? 'sandbox_missing' : 'sandbox_unfit', whyNot(cause));
  }
}

/** What the kernel shows a cell of its own network: whether somebody of ours listens in it. */
async function lookForListener(ground: Ground): Promise<ProbedListener> {
  try {
    const network = await ground.networks.take();
    try {
      const { text } = await ask(ground, ground.userOf('probe'), '/proc/net/tcp', network);
      return LISTENING.test(text) ? { is: 'fit' } : { is: 'unfit', why: 'nobody listens inside' };
    } finally {
      network.letGo();
      network.listening.close();
    }
  } catch (cause) {
    return { is: 'unfit', why: whyNot(cause) };
  }
}

/** 127.0.0.1 and the port as the kernel writes them, and its number for a socket that listens. */
const LISTENING = new RegExp(` 0100007F:${LISTENER_PORT.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F:]+ 0A `);

function whyNot(cause: unknown): string {
  // Root of a user namespace is root by its number only: it may not become, or give files to, a user of its own.
  if (!(cause instanceof Failure))
    return `a cell’s folders cannot be made: ${(cause as NodeJS.ErrnoException).code ?? ''}`;
  const says = String(cause.facts['says'] ?? cause.facts['why'] ?? cause.facts['program'] ?? cause.code);
  return cause.code === 'sandbox_missing' ? says : explain(says);
}

/** What the kernel says to the first command inside. */
const EXPECTED: Readonly<Record<string, string>> = {
  Seccomp: '2',
  NoNewPrivs: '1',
  CapEff: '0000000000000000',
  CapBnd: '0000000000000000',
};

function fieldsOf(status: string): Readonly<Record<string, string>> {
  return Object.fromEntries(status.split('\n').map((line) => line.split(':\t') as [string, string]));
}

type Seen = { readonly text: string; readonly kind: Fence['kind'] };

/** What a file of the kernel says inside. */
async function ask(
  { folder, launch, fence: makeFence }: Ground,
  user: User | undefined,
  file: string,
  network?: Network,
): Promise<Seen> {
  const cells = join(folder, 'cells');
  await mkdir(cells, { recursive: true, mode: 0o711 });
  const name = `probe-${randomUUID()}`;
  const root = join(cells, name);
  // Not asked for: made, entered by the command, and removed, as every cell's is.
  const fence = await makeFence(name, DEFAULT_LIMITS);
  try {
    const folders = makeFolders(root, 'probe', { view: {}, home: {} }, user);
    if (user !== undefined) await refuseUnreachable(folder);
    const step = {
      argv: ['prlimit', '--core=0:0', '--', 'cat', file],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      mounts: [
        { path: folders.etc, at: '/etc', writable: false },
        { path: folders.project, at: '/cell/project', writable: true },
      ],
      workingDirectory: '/cell/project',
      hostname: 'probe',
      temporaryBytes: 1 << 20,
      tools: [],
      user,
      network,
      folder: folders.root,
      timeoutMs: PROBE_TIMEOUT_MS,
      onHeld: fence.hold,
      failed: (facts: { says: string }) => new Failure('cell_start_failed', facts),
    };
    const text = await runErrand(launch, step, async (stdout) => {
      let all = '';
      for await (const chunk of stdout) all += String(chunk);
      return all;
    });
    return { text, kind: fence.kind };
  } finally {
    await fence.remove();
    await removeTree(root);
  }
}

/** Bubblewrap opens what it binds as the cell's user: every folder above has to let that user pass. */
async function refuseUnreachable(folder: string): Promise<void> {
  const steps = folder.split('/').slice(1);
  for (const [i] of steps.entries()) {
    const path = `/${steps.slice(0, i + 1).join('/')}`;
    const { mode } = await stat(path);
    if ((mode & 0o001) === 0)
      throw new Failure('sandbox_unfit', { why: `the cell’s user cannot pass ${path}; keep cells elsewhere` });
  }
}

async function askVersion(programs: string): Promise<string | null> {
  const env = { PATH: programs };
  const ran = await runProgram({ program: 'bwrap', args: ['--version'], cwd: '/', env, timeoutMs: PROBE_TIMEOUT_MS });
  if (ran.is === 'not_started' && ran.why === 'no_program') return null;
  const says = ran.is === 'ended' && ran.exitCode === 0 ? ran.stdout.toString('utf8') : '';
  return /^bubblewrap (\S+)/.exec(says)?.[1] ?? '';
}

/** The words of the kernel's refusals, as bubblewrap passes them on, and what a person can do about each. */
function explain(says: string): string {
  const advice: readonly (readonly [RegExp, string])[] = [
    [
      /No permissions to create new namespace/,
      'user namespaces are forbidden here, as in a container’s default filter',
    ],
    [/nesting depth|ENOSPC|No space left/, 'no more namespaces may be made here, as inside another cell'],
    [/uid map|RTM_NEWADDR|loopback/, 'AppArmor keeps bwrap from its namespaces; it needs a profile with `userns,`'],
  ];
  const known = advice.find(([pattern]) => pattern.test(says))?.[1];
  return known === undefined ? says : `${known} (${says})`;
}

function unfit(code: 'sandbox_missing' | 'sandbox_unfit', why: string): ProbedHere {
  return { is: 'unfit', backend: 'process', code, why };
}
