// Throwaway runners for a throwaway Gitea, with the reference configuration that `lazarus init` prints as well.
// Jobs run on this machine, as the runner's ordinary user, in a folder that goes away with the runner.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keep, logTail, runOnce } from './kept.ts';
import { ownedFile, ownedFolder } from './ordinary-user.ts';
import { PROJECT } from './project-folder.ts';
import type { Gitea } from './server.ts';

export type RunnerOptions = {
  /** Those of the reference configuration when left out. */
  readonly labels?: readonly string[];
  readonly capacity?: number;
  /** What every job of this runner finds in its environment; may replace `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A program and its arguments that starts the runner: what that may not do, its jobs may not. */
  readonly within?: readonly string[];
};

export type Runner = {
  /** As its forge lists it. */
  readonly name: string;
  /** Its home: what `~` is for its jobs. */
  readonly home: string;
  /** What the runner itself printed: jobs print to the server. */
  log(): string;
  /** Its machine loses power: the server hears nothing of it. */
  kill(): Promise<void>;
  /** The same machine, switched on again. */
  again(): void;
  stop(): Promise<void>;
};

const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 25;

export async function startRunner(gitea: Gitea, options: RunnerOptions = {}): Promise<Runner> {
  const folder = ownedFolder('runner', ['home']);
  const home = join(folder, 'home');
  const config = join(folder, 'config.yaml');
  const logFile = join(folder, 'runner.log');
  const name = `runner-${randomBytes(6).toString('hex')}`;
  const [program, ...before] = [...(options.within ?? []), gitea.programs.runner];
  const command = (args: readonly string[]) => ({
    program,
    args: [...before, ...args, '--config', config],
    cwd: folder,
    env: { HOME: home, TMPDIR: home, ...options.env },
  });
  ownedFile(config, configuration(options));
  const { token } = await gitea.api('POST', '/admin/actions/runners/registration-token');
  runOnce(command(['register', '--no-interactive', '--instance', gitea.url, '--token', token, '--name', name]));
  let runner = keep(command(['daemon']), logFile);
  const stop = async (): Promise<void> => {
    await runner.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isOnline(gitea, name))) {
    if (runner.exited() !== undefined || Date.now() > deadline) {
      const said = logTail(logFile);
      await stop();
      throw new Error(`the runner did not come up:\n${said}`);
    }
    await pause(POLL_MS);
  }
  return {
    name,
    home,
    log: () => readFileSync(logFile, 'utf8'),
    kill: () => runner.kill(),
    again: () => {
      runner = keep(command(['daemon']), logFile);
    },
    stop,
  };
}

async function isOnline(gitea: Gitea, name: string): Promise<boolean> {
  const { runners } = await gitea.api('GET', '/admin/actions/runners?limit=50');
  return runners.some((one: { name: string; status: string }) => one.name === name && one.status !== 'offline');
}

function configuration({ labels, capacity }: RunnerOptions): string {
  const reference = readFileSync(new URL('templates/runner/config.yaml', PROJECT), 'utf8');
  const withLabels =
    labels === undefined
      ? reference
      : reference.replace(
          /( +labels:\n)(?: +- .*\n)+/,
          (_, key) => key + labels.map((one) => `    - "${one}"\n`).join(''),
        );
  return capacity === undefined ? withLabels : withLabels.replace(/capacity: \d+/, `capacity: ${capacity}`);
}
