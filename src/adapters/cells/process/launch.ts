// Starts one bubblewrap: everything through descriptors, nothing inherited, held back until its namespaces were seen
// from outside. Knows processes, not what runs in them.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Duplex, Readable, Writable } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { Launch, Running } from '../launch.ts';
import type { Launcher } from '../errand.ts';
import { bubblewrapOptions } from './bubblewrap.ts';
import { confinement, firstProcessGone, holdPidNamespace, NAMESPACES, namespaceOf, separated } from './namespaces.ts';
import { seccompProgram } from './seccomp.ts';
import { readReport, type BubblewrapReport } from './report.ts';

const PORT = 3;
const STATUS = 4;
const ARGS = 5;
const SECCOMP = 6;
const BLOCK = 7;
const FIRST_MOUNT = 8;
// <fcntl.h>; Node does not export it.
const O_PATH = 0o10000000;
const CONFINED_WITHIN_MS = 2000;

/** Its launches throw `cell_start_failed` when the command did not come to run, `sandbox_unfit` when the cell did not hold. */
export function launcher(programs: string): Launcher {
  return (launch) => launchInBubblewrap(programs, launch);
}

/** A person's own PATH could name another bwrap. */
export const SYSTEM_PROGRAMS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

async function launchInBubblewrap(programs: string, launch: Launch): Promise<Running> {
  const opened: number[] = [];
  let child: ChildProcess;
  try {
    const program = seccompProgram(process.arch);
    if (program === undefined) throw new Failure('sandbox_unfit', { why: `no filter for ${process.arch}` });
    const mounts = launch.mounts.map(({ path, at, writable }, i) => {
      opened.push(openSync(path, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY));
      return { fd: FIRST_MOUNT + i, at, writable };
    });
    const stdio = descriptors(launch, opened);
    const nowhere = openSync('/dev/null', constants.O_RDWR);
    opened.push(nowhere);
    for (const fd of leakedDescriptors()) if (stdio[fd] === undefined || stdio[fd] === 'ignore') stdio[fd] = nowhere;
    for (let fd = 0; fd < stdio.length; fd++) stdio[fd] ??= 'ignore';
    const args = ['--args', String(ARGS), '--', ...launch.argv];
    // The environment of bubblewrap itself stays readable inside, as that of PID 1: `--clearenv` does not reach it.
    const env = { PATH: programs };
    // A group of its own: `kill(0, …)` and a terminal's Ctrl-C reach either the supervisor or the cell, never both.
    // And as root somebody else first, without groups: bubblewrap would map root to root, and files of the host's root
    // would be the cell's own.
    const how = { cwd: '/', env, stdio: stdio as StdioOptions, detached: true };
    // Only root may enter a network namespace: there it becomes somebody else on the way.
    child =
      launch.network === undefined
        ? spawn('bwrap', args, { ...how, ...launch.user })
        : spawn('nsenter', [...launch.network.enter(launch.user), '--', 'bwrap', ...args], how);
    const options = bubblewrapOptions({
      ...launch,
      mounts,
      hasNetwork: launch.network !== undefined,
      descriptors: { seccomp: SECCOMP, 'json-status-fd': STATUS, 'block-fd': BLOCK },
    });
    give(child, ARGS, options.map((option) => `${option}\0`).join(''));
    give(child, SECCOMP, program);
  } finally {
    for (const fd of [...opened, launch.stdout, launch.stderr]) closeSync(fd);
  }
  return release(child, launch);
}

function descriptors(launch: Launch, mounts: readonly number[]): (StdioOptions extends string ? never : unknown)[] {
  const stdio: unknown[] = [launch.input === undefined ? 'ignore' : 'pipe', launch.stdout, launch.stderr];
  stdio[PORT] = launch.port ? 'pipe' : 'ignore';
  stdio[STATUS] = 'pipe';
  stdio[ARGS] = 'pipe';
  stdio[SECCOMP] = 'pipe';
  stdio[BLOCK] = 'pipe';
  return [...stdio, ...mounts];
}

function give(child: ChildProcess, fd: number, content: string | Uint8Array): void {
  const stream = child.stdio[fd] as Writable;
  // A bubblewrap that dies early tells why in its exit code; the broken pipe does not.
  stream.on('error', () => undefined);
  stream.end(content);
}

async function release(child: ChildProcess, launch: Launch): Promise<Running> {
  const status = readReport(child.stdio[STATUS] as Readable);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  ended.catch(() => undefined);
  const input = child.stdin;
  if (input !== null) input.on('error', () => undefined);
  const begun = await Promise.race([status.begun, ended.then(() => undefined)]).catch((cause: unknown) => {
    throw new Failure('sandbox_missing', { program: programOf(launch) }, { cause });
  });
  const pid = begun?.pid;
  if (pid === undefined) throw await notStarted(ended, launch);
  const held = holdPidNamespace(pid);
  // Where it was sent to, and not merely elsewhere than we are.
  const strayed = launch.network !== undefined && namespaceOf(pid, 'net') !== launch.network.id;
  const apart = separated(pid).filter((kind) => kind !== 'net' || !strayed);
  if (held === undefined || apart.length !== NAMESPACES.length) {
    // Asked before anybody kills it: a bubblewrap whose first process we ended has an exit code of its own as well.
    const isAlive = held !== undefined && namespaceOf(pid, 'pid') === held.id;
    // It waits for our word, and outlives a bubblewrap that ran as root: whoever it was that was asked to start it.
    if (held !== undefined && apart.includes('pid')) kill(child, pid, held.id);
    held?.letGo();
    child.kill('SIGKILL');
    // It may simply have died meanwhile, with a reason of its own.
    const { code } = await ended;
    if (code !== null && !isAlive) throw await notStarted(ended, launch);
    throw new Failure('sandbox_unfit', { shared: NAMESPACES.filter((kind) => !apart.includes(kind)) });
  }
  try {
    await launch.onHeld?.(pid);
  } catch {
    // Not under its limits, or dead already: it never gets to its command.
    held.letGo();
    child.kill('SIGKILL');
    throw await notStarted(ended, launch);
  }
  give(child, BLOCK, 'x');
  const running: Running = {
    pid,
    pidNamespace: held.id,
    namespaces: apart,
    port: launch.port ? (child.stdio[PORT] as Duplex) : undefined,
    input: input ?? undefined,
    seccomp: true,
    ended: ended.then(async (end) => {
      await firstProcessGone(pid, held.id);
      return outcome(end, await status.exitCode);
    }),
    kill: () => kill(child, pid, held.id),
    letGo: once(held.letGo),
  };
  await confined(running, ended, status, launch).catch((cause: unknown) => {
    running.letGo();
    throw cause;
  });
  return running;
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** Only the kernel knows whether the filter is really there; a cell without it must not go on. */
async function confined(
  running: Running,
  ended: Promise<unknown>,
  status: BubblewrapReport,
  launch: Launch,
): Promise<void> {
  const state = { over: false };
  const over = (): void => void (state.over = true);
  void ended.then(over, over);
  const from = performance.now();
  while (!state.over) {
    const is = confinement(running.pid);
    if (is?.seccomp === true && is.noNewPrivileges && !is.capabilities) return;
    if (performance.now() - from > CONFINED_WITHIN_MS) {
      running.kill();
      await ended;
      throw new Failure('sandbox_unfit', { why: 'no system call filter on the first process' });
    }
    await wait(1);
  }
  // Over before it could be looked at: bubblewrap reports an exit code only if it came to run the command, filter and all.
  if ((await status.exitCode) === undefined) throw await notStarted(Promise.resolve(), launch);
}

async function notStarted(ended: Promise<unknown>, launch: Launch): Promise<Failure> {
  try {
    await ended;
  } catch (cause) {
    return new Failure('sandbox_missing', { program: programOf(launch) }, { cause });
  }
  return new Failure('cell_start_failed', { says: await launch.complaint() });
}

function programOf({ network }: Launch): string {
  return network === undefined ? 'bwrap' : 'nsenter';
}

function outcome(end: { code: number | null; signal: string | null }, exitCode: number | undefined) {
  const code = exitCode ?? end.code;
  return { code, signal: code === null ? end.signal : null };
}

/** By the first process of the namespace: the kernel then kills all others, however they tried to get away. */
function kill(child: ChildProcess, pid: number, pidNamespace: string): void {
  // Its number may belong to somebody else by now.
  if (namespaceOf(pid, 'pid') !== pidNamespace) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between the look and the signal. Called from the handlers of its output: nobody would catch this.
  }
}

// Descriptors that this process inherited without close-on-exec: every child would get them, a cell too. Node closes
// only its own.
const CLOSE_ON_EXEC = 0o2000000;

/** Above the three standard ones. Listed right before a spawn; whoever starts it maps /dev/null onto each. */
function leakedDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => fd > 2 && !closesOnExec(fd));
}

function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // The descriptor of the listing itself is closed by now.
    return true;
  }
}
