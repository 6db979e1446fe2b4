// Agents of a week that are at work until somebody lets them go: which note each writes, and on whose machine. They sleep in
// their cells, for a time that no other process on this machine sleeps, and are found by that. Knows nothing of missions.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Runner } from '../support/gitea/runner.ts';

export type AtWork = { readonly note: string; readonly pid: number };

export type Agents = {
  /** What they sleep for, in seconds, with the number of the note behind it. */
  readonly sleeps: { readonly patient: string; readonly endless: string };
  /** Those that can be let go. */
  atWork(note?: string): readonly AtWork[];
  /** Whatever else sleeps in a cell. */
  busy(): number;
  /** They go on with the rest of what they do. */
  letGo(note?: string): void;
};

export function agentsOfWeek(): Agents {
  const own = randomInt(1e9, 1e10);
  const sleeps = { patient: `3600.${own}`, endless: `7200.${own}` };
  const asleep = (seconds: string): readonly AtWork[] => {
    const before = `sleep\0${seconds}`;
    return processes().flatMap((pid) => {
      const command = read(pid, 'cmdline');
      return command.startsWith(before) ? [{ pid, note: `n${command.slice(before.length, -1)}` }] : [];
    });
  };
  const atWork = (note?: string): readonly AtWork[] =>
    asleep(sleeps.patient).filter((one) => note === undefined || one.note === note);
  return {
    sleeps,
    atWork,
    busy: () => asleep(sleeps.patient).length + asleep(sleeps.endless).length,
    letGo: (note) => atWork(note).forEach(({ pid }) => signalled(pid, 'SIGTERM')),
  };
}

/** The agent's own program dies, as by a lack of memory. */
export function kill({ pid }: AtWork): void {
  signalled(parentOf(pid), 'SIGKILL');
}

/** Whose cell it is in. */
export function machineOf({ pid }: AtWork, runners: readonly Runner[]): Runner | undefined {
  for (let at = pid; at > 1; at = parentOf(at)) {
    const found = runners.find(({ home }) => isAt(at, home));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The runner's own and those of its jobs fall asleep; what runs in a cell waits for them. Answers with what wakes them. */
export function suspended({ home }: Runner): () => void {
  const pids = processes().filter((pid) => isAt(pid, home));
  for (const pid of pids) signalled(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) signalled(pid, 'SIGCONT');
  };
}

function isAt(pid: number, home: string): boolean {
  return read(pid, 'environ').split('\0').includes(`HOME=${home}`);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? 0);
}

function processes(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // It ended by itself.
  }
}

function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}
