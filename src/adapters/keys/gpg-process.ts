// One run of a GnuPG program, with its output as bytes. Knows no keys.
import { Failure } from '../../failure.ts';
import { runProgram } from '../system/run-program.ts';

export type GpgRun = { readonly program: 'gpg' | 'gpg-connect-agent'; readonly env: NodeJS.ProcessEnv };

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const ERROR_TEXT_CHARS_MAX = 300;

/** The program's stdout; `gpg_missing` when there is no such program, `gpg_failed` when it says no. */
export async function runGpg({ program, env }: GpgRun, args: readonly string[], input = ''): Promise<Buffer> {
  const ran = await runProgram({
    program,
    args,
    cwd: process.cwd(),
    // LC_ALL: messages end up in errors, and a translated one is of no help to a search.
    env: { ...env, LC_ALL: 'C' },
    input,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    // The agent may want a passphrase, from whoever sits at the terminal, and for as long as it takes to type.
    mayAskPerson: true,
  });
  if (ran.is === 'not_started') throw new Failure('gpg_missing', { program });
  if (ran.is === 'ended' && ran.exitCode === 0) return ran.stdout;
  // What gpg prints can hold names and e-mail addresses: it is a cause, for a person at a terminal, never a fact.
  const says = ran.is === 'ended' ? ran.stderr.slice(0, ERROR_TEXT_CHARS_MAX).trim() : 'an answer without end';
  throw new Failure(
    'gpg_failed',
    { program, exit: ran.is === 'ended' ? ran.exitCode : null },
    { cause: new Error(says) },
  );
}
