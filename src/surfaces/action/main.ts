// The action: one job of a workflow, from its environment to its outputs. Translates and reports; what happens is for the
// use cases, and what is true is for the ledger.
import { appendFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { Turn } from '../../app/gate/turns.ts';
import { nextLine } from '../../next-line.ts';
import { failureLines, jobSummary, logLine, outputFile, type Outcome } from '../../forge-text/outcome.ts';
import { REASONS, type ReasonCode } from '../../reasons.ts';
import { circumstancesOf, type JobCircumstances } from './circumstances.ts';

export async function main(env: NodeJS.ProcessEnv): Promise<number> {
  let at: JobCircumstances | undefined;
  let result: Turn;
  try {
    at = circumstancesOf(env);
    const { runJob } = await import('./jobs.ts');
    result = await runJob(at, env, say);
  } catch (error) {
    result = { outcome: broken(error), view: null };
    say(error instanceof Failure ? `${error.code}: ${REASONS[error.code].says}` : 'internal: lazarus itself failed');
    if (error instanceof Failure) {
      for (const [name, value] of Object.entries(error.facts)) say(`  ${name}: ${String(value)}`);
      // The log of a job is read by whoever keeps the runner.
      say(`  next: ${nextLine(error, 'terminal')}`);
    } else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const { outcome, view, failed: because } = result;
  if (because !== undefined) for (const line of failureLines(because, view)) say(line);
  say(`${outcome.decision}: ${outcome.reasonCode}${outcome.mission === null ? '' : ` ${outcome.mission}`}`);
  // From the start of the process: what the forge’s pushes took of it was told above.
  say(`took: ${Math.round(performance.now())} ms`);
  if (at?.outputPath !== undefined) await appendFile(at.outputPath, outputFile(outcome, `lazarus-${randomUUID()}`));
  if (at?.summaryPath !== undefined) await appendFile(at.summaryPath, jobSummary(result));
  if (because === undefined && outcome.decision !== 'failure') return 0;
  return exitOf(because ?? outcome.reasonCode);
}

/** As at a terminal. A forge shows that it is not zero; no job of ours asks for more. */
function exitOf(because: string): number {
  return Object.hasOwn(REASONS, because) ? REASONS[because as ReasonCode].exit : 1;
}

function broken(error: unknown): Outcome {
  const reasonCode = error instanceof Failure ? error.code : 'internal';
  return {
    decision: 'failure',
    reasonCode,
    next: 'none',
    mission: null,
    digest: null,
    seq: null,
    receipts: [],
    wake: [],
  };
}

function say(text: string): void {
  for (const line of text.split('\n')) process.stdout.write(`${logLine(line)}\n`);
}
