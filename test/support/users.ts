// Programs of several users, for tests that are run by root: as users that stand in no list, to the system as good as any
// other. What runs until a test ends, and a supervisor that several tests share.
import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { CLI_MAIN } from './build.ts';

/** The first group is its own. */
export type User = { readonly uid: number; readonly groups: readonly number[] };

type Ended = { readonly code: number | null; readonly said: string };
export type Started = { readonly child: ChildProcess; said(): string; readonly ended: Promise<Ended> };

/** For setpriv: the program as that user, and in no other group. */
export function settingUser({ uid, groups }: User, program: readonly string[]): string[] {
  return ['--reuid', String(uid), '--regid', String(groups[0]), '--groups', groups.join(','), '--', ...program];
}

export function as(user: User, args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const child = spawn('setpriv', settingUser(user, args), {
    cwd: '/',
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, said }));
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, said: () => said, ended };
}

/** Waits for what a process says; fails with all that it said where it ends before. */
export async function hears({ child, said, ended }: Started, text: string): Promise<void> {
  if (said().includes(text)) return;
  await Promise.race([
    new Promise<void>((resolve) => {
      const look = (): void => {
        if (said().includes(text)) resolve();
      };
      child.stdout!.on('data', look);
      child.stderr!.on('data', look);
    }),
    ended.then(({ code }) => {
      if (!said().includes(text)) throw new Error(`ended with ${code} and never said ${text}:\n${said()}`);
    }),
  ]);
}

type Setting = {
  readonly user: User;
  readonly home: string;
  readonly config: string;
  readonly socket: string;
};

export type Supervising = { said(): string; stop(): Promise<void> };

export async function supervising({ user, home, config, socket }: Setting): Promise<Supervising> {
  const program = [process.execPath, CLI_MAIN, 'supervise', '--config', config, '--socket', socket];
  const child = spawn('setpriv', settingUser(user, program), {
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  const open = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('supervises at')) resolve();
    });
    void ended.then(() => reject(new Error(`it did not begin:\n${said}`)));
  });
  await open;
  return {
    said: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
