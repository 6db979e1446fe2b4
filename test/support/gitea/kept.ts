// Starts programs that must not outlive the test: each under a keeper, as an ordinary user, with an environment of its own.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { ordinaryUser } from './ordinary-user.ts';
import { PROJECT } from './project-folder.ts';

export type Start = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

export type Kept = {
  /** Undefined while it runs. */
  readonly exited: () => number | undefined;
  readonly stop: () => Promise<void>;
  /** With all that it started, and without a chance to tell anybody. */
  readonly kill: () => Promise<void>;
};

const KEEPER = readFileSync(new URL('test/support/gitea/keeper.mjs', PROJECT), 'utf8');
const LOG_CHARS_SHOWN = 4_000;
const RUN_TIMEOUT_MS = 60_000;

export function keep(start: Start, logFile: string): Kept {
  const { program, args, cwd } = start;
  const log = openSync(logFile, 'a', 0o600);
  const task = JSON.stringify({ program, args, cwd, mark: randomUUID(), ...ordinaryUser() });
  const child = spawn(process.execPath, ['--input-type=module', '-e', KEEPER, task], {
    env: environment(start),
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  let exited: number | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      exited = code ?? 1;
      resolve();
    });
  });
  // A program that nobody stops must not keep the test run from ending.
  child.unref();
  const held = child.stdin as Socket;
  held.on('error', () => {});
  held.unref();
  return {
    exited: () => exited,
    stop: async () => {
      child.ref();
      held.end();
      await gone;
    },
    kill: async () => {
      child.ref();
      held.write('now');
      await gone;
    },
  };
}

/** Runs a program to its end and returns what it printed. */
export function runOnce(start: Start, input: string | Uint8Array = ''): string {
  const result = spawnSync(start.program, start.args, {
    cwd: start.cwd,
    env: environment(start),
    input,
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
    ...ordinaryUser(),
  });
  if (result.status === 0) return result.stdout;
  throw new Error(
    `${start.program} ${start.args[0]} failed:\n${(result.stdout + result.stderr).slice(-LOG_CHARS_SHOWN)}`,
  );
}

export function logTail(file: string): string {
  return readFileSync(file, 'utf8').slice(-LOG_CHARS_SHOWN);
}

/** Nothing of the tests' own environment, so that no setting or secret of a developer gets in. */
function environment({ cwd, env }: Start): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: cwd,
    TMPDIR: cwd,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    ...env,
  };
}
