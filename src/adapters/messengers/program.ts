// Messages to a program that a person named, such as `mail` or `ntfy`: the text on its standard input, its arguments as they
// were typed. Gets the environment without whatever is a secret in it, prints nothing here, and ends in bounded time.
import type { Messenger } from '../../ports/messenger.ts';
import { runProgram } from '../system/run-program.ts';

type Named = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that it is not given. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
};

const TIMEOUT_MS = 30_000;

export function programMessenger({ argv: [program = '', ...args], cwd, env, secrets, signal }: Named): Messenger {
  const plain = Object.fromEntries(Object.entries(env).filter(([, value]) => !secrets.includes(value ?? '')));
  return {
    async send({ text }) {
      const ran = await runProgram({ program, args, cwd, env: plain, input: text, timeoutMs: TIMEOUT_MS, signal });
      switch (ran.is) {
        case 'ended':
          return ran.exitCode === 0 ? { is: 'delivered' } : { is: 'failed', why: `it ended with ${ran.exitCode}` };
        case 'stopped':
          return { is: 'failed', why: ran.why === 'aborted' ? 'interrupted' : 'it did not end in time' };
        case 'not_started':
          return { is: 'failed', why: 'it cannot be started' };
      }
    },
  };
}
