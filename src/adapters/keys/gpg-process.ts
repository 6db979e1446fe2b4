// One run of a GnuPG program: arguments as a list, input on stdin, output as bytes. Knows no keys.
import { spawn } from 'node:child_process';
import { Failure } from '../../failure.ts';

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const ERROR_TEXT_CHARS_MAX = 300;

export type GpgRun = { readonly program: 'gpg' | 'gpg-connect-agent'; readonly env: NodeJS.ProcessEnv };

/** The program's stdout; `gpg_missing` when there is no such program, `gpg_failed` when it says no. */
export function runGpg({ program, env }: GpgRun, args: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // LC_ALL: messages end up in errors, and a translated one is of no help to a search.
    const child = spawn(program, args, { env: { ...env, LC_ALL: 'C' }, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let outBytes = 0;
    let errors = '';
    child.on('error', (cause) => reject(new Failure('gpg_missing', { program }, { cause })));
    child.stdout.on('data', (chunk: Buffer) => {
      outBytes += chunk.length;
      if (outBytes > OUTPUT_BYTES_MAX) child.kill();
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(0, ERROR_TEXT_CHARS_MAX);
    });
    // A program that ends before it has read everything breaks the pipe; its exit status tells why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => {
      if (code === 0 && outBytes <= OUTPUT_BYTES_MAX) resolve(Buffer.concat(out));
      // What gpg prints can hold names and e-mail addresses: it is a cause, for a person at a terminal, never a fact.
      else reject(new Failure('gpg_failed', { program, exit: code }, { cause: new Error(errors.trim()) }));
    });
  });
}
