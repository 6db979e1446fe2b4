// An agent that works until a test lets it go: however slow the machine is, what the test does happens while it works.
// It sleeps in its cell, for a time that no other process on this machine sleeps; whoever runs the test finds it by that.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export type PatientAgent = {
  /** A line of its shell script. */
  readonly line: string;
  /** Until so many are at work. */
  atWork(count?: number): Promise<void>;
  /** Whoever is at work now goes on with the rest of the script. */
  letGo(): void;
};

const POLL_MS = 50;

export function patientAgent(): PatientAgent {
  const seconds = `3600.${randomInt(1e9, 1e10)}`;
  const asleep = (): readonly number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandOf(pid) === `sleep\0${seconds}\0`)
      .map(Number);
  return {
    line: `sleep ${seconds} || true`,
    atWork: async (count = 1) => {
      while (asleep().length < count) await pause(POLL_MS);
    },
    letGo: () => {
      for (const pid of asleep()) process.kill(pid);
    },
  };
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // It ended by itself.
  }
}
