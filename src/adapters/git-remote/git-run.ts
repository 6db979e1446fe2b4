// Runs one git with a deadline and a bound on what it may say. An exit code is an answer, never a throw. Knows neither
// remotes nor credentials.
import { spawn } from 'node:child_process';
import { Failure } from '../../failure.ts';
import { protocolFailure } from './protocol-failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type GitRun = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
};

const STDOUT_BYTES_MAX = 33_554_432;
const STDERR_BYTES_KEPT = 65_536;

export async function runGitIn(
  at: { readonly cwd: string; readonly env: Environment },
  args: readonly string[],
  { timeoutMs, input = '' }: { readonly timeoutMs: number; readonly input?: string },
): Promise<GitRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: at.cwd, env: at.env, stdio: ['pipe', 'pipe', 'pipe'] });
    let isTimeout = false;
    let stdoutBytes = 0;
    let stderr = Buffer.alloc(0);
    const stdout: Buffer[] = [];
    const timer = setTimeout(() => {
      isTimeout = true;
      child.kill();
      // A grandchild may hold the pipes open for as long as it likes.
      child.stdout.destroy();
      child.stderr.destroy();
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > STDOUT_BYTES_MAX) child.kill();
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_KEPT);
    });
    // git may leave before it has read what it was given; its exit code then says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(new Failure(cause.code === 'ENOENT' ? 'git_missing' : 'git_failed', {}, { cause }));
    });
    child.once('close', (status) => {
      clearTimeout(timer);
      if (stdoutBytes > STDOUT_BYTES_MAX) reject(protocolFailure('an answer without end'));
      else resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: stderr.toString(), isTimeout });
    });
  });
}
