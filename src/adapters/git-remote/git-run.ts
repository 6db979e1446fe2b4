// One git that may talk to a remote, as the rest of this folder sees it: with a deadline, and an exit code for an answer.
// Knows neither remotes nor credentials.
import { Failure } from '../../failure.ts';
import { runProgram } from '../system/run-program.ts';
import { protocolFailure } from './protocol-failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type GitRun = {
  /** Null when it did not come to an end of its own. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
};

const STDOUT_BYTES_MAX = 33_554_432;

export async function runGitIn(
  at: { readonly cwd: string; readonly env: Environment },
  args: readonly string[],
  { timeoutMs, input }: { readonly timeoutMs: number; readonly input?: string },
): Promise<GitRun> {
  const ran = await runProgram({
    program: 'git',
    args,
    ...at,
    input,
    timeoutMs,
    stdoutBytesMax: STDOUT_BYTES_MAX,
    // ssh about a host that it does not know, a helper about a password.
    mayAskPerson: true,
  });
  if (ran.is === 'ended') {
    const status = typeof ran.exitCode === 'number' ? ran.exitCode : null;
    return { status, stdout: ran.stdout.toString('utf8'), stderr: ran.stderr, isTimeout: false };
  }
  if (ran.is === 'not_started')
    throw ran.why === 'no_program' ? new Failure('git_missing') : new Failure('git_failed', { says: ran.code });
  if (ran.why === 'too_long') throw protocolFailure('an answer without end');
  return { status: null, stdout: '', stderr: '', isTimeout: true };
}
