// The action: one job of a workflow, from its environment to its outputs. Translates and reports; what happens is for the
// use cases, and what is true is for the ledger.
import { appendFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { failureIn } from '../../failure.ts';
import { logLine, outputFile, reportOfFailure, type Report } from '../../forge-text/outcome.ts';
import { circumstancesOf, type JobCircumstances } from './circumstances.ts';
import { runJob } from './jobs.ts';

export async function main(env: NodeJS.ProcessEnv): Promise<number> {
  let at: JobCircumstances | undefined;
  let report: Report;
  try {
    at = circumstancesOf(env);
    report = await runJob(at, env, say);
  } catch (error) {
    report = reportOfFailure(error);
    if (failureIn(error) === undefined) say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const { outcome, lines, summary, exit } = report;
  for (const line of lines) say(line);
  say(`${outcome.decision}: ${outcome.reasonCode}${outcome.mission === null ? '' : ` ${outcome.mission}`}`);
  // From the start of the process: what the forge’s pushes took of it was told above.
  say(`took: ${Math.round(performance.now())} ms`);
  if (at?.outputPath !== undefined) await appendFile(at.outputPath, outputFile(outcome, `lazarus-${randomUUID()}`));
  if (at?.summaryPath !== undefined) await appendFile(at.summaryPath, summary);
  return exit;
}

function say(text: string): void {
  for (const line of text.split('\n')) process.stdout.write(`${logLine(line)}\n`);
}
