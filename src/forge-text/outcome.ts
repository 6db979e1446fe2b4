// What a job of the action tells the workflow and the person who reads its log: a decision with its reason, and which job
// comes next. Tells what the ledger holds, and is never believed by the next job. Knows no file and no environment.
import { Failure } from '../failure.ts';
import type { ReasonCode } from '../reasons.ts';
import { visible } from './hidden.ts';
import { block, cell, code, missionWord } from './shown.ts';
import { stateWords } from './states.ts';
import type { StatusView } from './status-view.ts';

export type Outcome = {
  /** `continue`: a job follows. `complete`: all done. `wait`: people's turn. `stop`: refused. `failure`: broken. */
  readonly decision: 'continue' | 'complete' | 'wait' | 'stop' | 'failure';
  readonly reasonCode: ReasonCode | Success;
  readonly next: 'cell' | 'writer' | 'none';
  readonly mission: string | null;
  readonly digest: string | null;
  readonly seq: number | null;
  readonly receipts: readonly string[];
};
/** What went well has a word too. */
type Success =
  | 'ignored_not_command'
  | 'ignored_not_proposal'
  | 'ignored_bot'
  | 'ignored_edited'
  | 'proposed'
  | 'approval_recorded'
  | 'vote_recorded'
  | 'shown'
  | 'work_handed_over'
  | 'verified'
  | 'reconciled';

const DELIMITER = /^[A-Za-z0-9_-]{16,64}$/;

/** One line of JSON, for programs. */
function resultJson(outcome: Outcome): string {
  const { decision, reasonCode, next, mission, digest, seq, receipts } = outcome;
  return JSON.stringify({ schema_version: 1, decision, reason_code: reasonCode, next, mission, digest, seq, receipts });
}

/**
 * The text to append to the runner's output file. With a delimiter that nobody could guess, drawn by the caller, no value
 * can end itself and begin another output, as one that holds `EOF` and a line feed would.
 */
export function outputFile(outcome: Outcome, delimiter: string): string {
  const outputs: Readonly<Record<string, string>> = {
    decision: outcome.decision,
    'reason-code': outcome.reasonCode,
    next: outcome.next,
    mission: outcome.mission ?? '',
    digest: outcome.digest ?? '',
    seq: outcome.seq === null ? '' : String(outcome.seq),
    receipts: outcome.receipts.join(','),
    result: resultJson(outcome),
  };
  if (!DELIMITER.test(delimiter)) throw new Failure('internal', { at: 'output delimiter' });
  return Object.entries(outputs)
    .map(([name, value]) => {
      if (value.includes(delimiter) || visible(value) !== value)
        throw new Failure('internal', { at: `output ${name}` });
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join('');
}

/** A line of the job's log. A runner obeys lines that begin with `::` or `##[`; one that begins with a bar it only shows. */
export function logLine(text: string): string {
  return `| ${visible(text)}`;
}

/** The page beside the job; a forge that cannot show it loses nothing that the status comment does not have. */
export function jobSummary(outcome: Outcome, view: StatusView | null): string {
  const { decision, reasonCode, next } = outcome;
  const head = `### ${decision}: ${code(reasonCode)}`;
  const follows = next === 'none' ? 'No job follows.' : `Next: the ${next} job.`;
  if (view === null) return `${head}\n\n${follows}\n`;
  const effects = view.effects
    .slice(0, ROWS_MAX)
    .map(
      ({ what, target, state, because }) =>
        `| ${cell(what)} | ${cell(target)} | ${state.replace('_', ' ')} | ${because === null ? '' : cell(because)} |`,
    );
  const receipts = view.receipts
    .slice(0, ROWS_MAX)
    .map(({ id, action, outcome: result }) => `| ${cell(id)} | ${cell(action)} | ${cell(result)} |`);
  return [
    head,
    `**${missionWord(view.mission)}** is ${stateWords(view.state)} at ${view.seq} events, head ${code(view.head.slice(0, 12))}. ${follows}`,
    ...(effects.length === 0
      ? []
      : [['| effect | target | state | because |', '|---|---|---|---|', ...effects].join('\n')]),
    ...(receipts.length === 0 ? [] : [['| receipt | action | outcome |', '|---|---|---|', ...receipts].join('\n')]),
    `Check it:\n\n${block([`lazarus verify ${view.mission}`])}`,
  ].join('\n\n');
}

const ROWS_MAX = 200;
