// Who a process is, beyond its number: numbers are given out again, and a new process with an old number must not pass
// for a dead one. Says nothing of what a process does.
import { readFile, readlink } from 'node:fs/promises';

export type ProcessMark = {
  readonly pid: number;
  /** Ticks since the machine's start, as the kernel counts them. */
  readonly began: string;
};

export async function thisProcess(): Promise<ProcessMark> {
  return { pid: process.pid, began: await beganAt(process.pid) };
}

/** Undecided counts as alive: what a living process holds must not be taken from it. */
export async function isAlive({ pid, began }: ProcessMark): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = await beganAt(pid);
  return now === began || now === UNKNOWN || began === UNKNOWN;
}

/** Numbers mean something within one of these only: two containers may share a folder. */
export async function processNamespace(): Promise<string> {
  try {
    return /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = 'unknown';
/** Field of /proc/<pid>/stat behind the command's name, which may hold spaces and brackets. */
const START_TIME_FIELD = 19;

async function beganAt(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_FIELD] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
