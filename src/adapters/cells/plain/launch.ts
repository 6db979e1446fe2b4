// Level 0: a child process and nothing more. It has the same folders and the same ends as a real cell and none of its
// walls; whoever uses it has said so aloud.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { Launch, Running } from '../launch.ts';

export function launchPlainly(launch: Launch): Promise<Running> {
  const child = start(launch);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Failure('cell_start_failed', { says: (cause as NodeJS.ErrnoException).code ?? '' }, { cause })),
    );
    child.once('spawn', () => {
      child.stdin?.on('error', () => undefined);
      resolve({
        pid: child.pid!,
        pidNamespace: undefined,
        namespaces: [],
        seccomp: false,
        port: launch.port ? (child.stdio[3] as Duplex) : undefined,
        input: child.stdin ?? undefined,
        ended,
        kill: () => killGroup(child.pid!),
        letGo: () => undefined,
      });
    });
  });
}

function start(launch: Launch): ChildProcess {
  const [command, ...args] = launch.argv;
  const output = [launch.stdout, launch.stderr];
  try {
    return spawn(command!, args, {
      cwd: launch.workingDirectory,
      env: { ...launch.env },
      stdio: [launch.input === undefined ? 'ignore' : 'pipe', ...output, launch.port ? 'pipe' : 'ignore'],
      detached: true,
    });
  } finally {
    for (const fd of output) closeSync(fd);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
