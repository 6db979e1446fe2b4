// Level 0: a child process and nothing more. It has the same folders and the same ends as a real cell and none of its
// walls; whoever uses it has said so aloud.
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { Launch, Running } from '../launch.ts';

export function launchPlainly(launch: Launch): Promise<Running> {
  const [command, ...args] = launch.argv;
  const child = spawn(command!, args, {
    cwd: launch.workingDirectory,
    env: { ...launch.env },
    stdio: [
      launch.input === undefined ? 'ignore' : 'pipe',
      launch.stdout,
      launch.stderr,
      launch.port ? 'pipe' : 'ignore',
    ],
    detached: true,
    ...(launch.user === undefined ? {} : { uid: launch.user.uid, gid: launch.user.gid }),
  });
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

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
