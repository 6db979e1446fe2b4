// Asks a person for agreement before something that cannot be taken back: once, on the terminal, with `no` as the
// default. Where nobody can be asked, silence is no agreement. Also for the few answers that are no yes or no.
import { createInterface } from 'node:readline/promises';
import { Failure } from '../../failure.ts';
import type { Context } from './command.ts';
import type { Line } from './output.ts';

/** Shows what is agreed to, also with --quiet, and returns only when the person agreed. */
export async function agree(ctx: Context, what: readonly Line[], question: string): Promise<void> {
  const { yes, interactive } = ctx.input;
  for (const line of what)
    if (yes) ctx.out.note(line);
    else ctx.out.warn(line);
  if (yes) return;
  if (!interactive) throw new Failure('agreement_needed', { question });
  const answer = await answerTo(ctx, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('agreement_refused', { question });
}

/** One line from a person at a terminal. */
export async function answerTo(ctx: Context, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question, { signal: ctx.signal })).trim();
  } finally {
    terminal.close();
  }
}
