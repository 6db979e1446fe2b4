// Asks a person for agreement before something that cannot be taken back: once, on the terminal, with `no` as the
// default. Where nobody can be asked, silence is no agreement.
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
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: ctx.signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('agreement_refused', { question });
  } finally {
    terminal.close();
  }
}
