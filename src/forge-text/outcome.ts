// What a job of the action tells the workflow and the person who reads its log: a decision with its reason, and which job
// comes next. Tells what the ledger holds, and is never believed by the next job. Knows no file and no environment.
import { Failure, failureIn } from '../failure.ts';
import { nextLine } from '../next-line.ts';
import { REASONS, type ReasonCode } from '../reasons.ts';
import { attemptCell, attemptWords, failureMarkdown, failureRows } from './failure-words.ts';
import { visible } from './hidden.ts';
import { block, cell, code, missionWord } from './shown.ts';
import type { StatusView } from './status-view.ts';
import { standsAs } from './status-words.ts';

export type Outcome = {
  /** `continue`: a job follows. `complete`: all done. `wait`: people's turn. `stop`: refused. `failure`: broken. */
  readonly decision: 'continue' | 'complete' | 'wait' | 'stop' | 'failure';
  readonly reasonCode: ReasonCode | Success;
  readonly next: 'cell' | 'writer' | 'none';
  readonly mission: string | null;
  readonly digest: string | null;
  readonly seq: number | null;
  readonly receipts: readonly string[];
  /** Other missions that can go on since this turn: each gets a run of its own. */
  readonly wake: readonly string[];
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
  | 'mission_unheld'
  | 'retried'
  | 'woken'
  | 'shown'
  | 'work_handed_over'
  | 'verified'
  | 'reconciled';

const DELIMITER = /^[A-Za-z0-9_-]{16,64}$/;

/** One line of JSON, for programs. */
function resultJson(outcome: Outcome): string {
  const { decision, reasonCode: reason_code, next, mission, digest, seq, receipts, wake } = outcome;
  return JSON.stringify({ schema_version: 1, decision, reason_code, next, mission, digest, seq, receipts, wake });
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
    wake: outcome.wake.join(' '),
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

/** For the job's log, in lines of plain text: why the attempt came to nothing, what is known of it, and who does what next. */
function failureLines(because: ReasonCode, view: StatusView | null): readonly string[] {
  const { attempt = null, because: told = null } = view ?? {};
  const rows = attempt?.failure ? failureRows(attempt.failure) : [];
  const next = told?.next ?? nextLine({ code: because, mission: view?.mission }, 'issue');
  return [
    `${because}: ${REASONS[because].says}`,
    ...rows.map(([name, text]) => `  ${name}: ${text}`),
    ...(attempt === null ? [] : [`  attempt: ${attemptWords(attempt)}`]),
    `  next: ${next}`,
  ];
}

/** All that a job tells once its turn is over, wherever the turn was taken. */
export type Report = {
  readonly outcome: Outcome;
  /** For its log. */
  readonly lines: readonly string[];
  readonly summary: string;
  readonly exit: number;
};

export function reportOf(turn: Summarised): Report {
  const { outcome, view, failed } = turn;
  const lines = failed === undefined ? [] : failureLines(failed, view);
  const isGood = failed === undefined && outcome.decision !== 'failure';
  return { outcome, lines, summary: jobSummary(turn), exit: isGood ? 0 : exitOf(failed ?? outcome.reasonCode) };
}

/** Of a turn that broke. What is no reason is a bug, told by name alone: where its trace goes, whoever caught it says. */
export function reportOfFailure(error: unknown): Report {
  const failure = failureIn(error);
  const [code, facts] = failure === undefined ? ['internal' as const, {}] : [failure.code, failure.facts];
  const nobody = { mission: null, digest: null, seq: null, receipts: [], wake: [] };
  const outcome: Outcome = { decision: 'failure', reasonCode: code, next: 'none', ...nobody };
  const lines = [
    `${code}: ${REASONS[code].says}`,
    ...Object.entries(facts).map(([name, value]) => `  ${name}: ${String(value)}`),
    // The log of a job is read by whoever keeps the runner.
    ...(failure === undefined ? [] : [`  next: ${nextLine(failure, 'terminal')}`]),
  ];
  return { ...reportOf({ outcome, view: null }), lines };
}

/** As at a terminal. A forge shows that it is not zero; no job of ours asks for more. */
function exitOf(because: string): number {
  return Object.hasOwn(REASONS, because) ? REASONS[because as ReasonCode].exit : 1;
}

type Summarised = {
  readonly outcome: Outcome;
  readonly view: StatusView | null;
  readonly failed?: ReasonCode | undefined;
};

/** The page beside the job; a forge that cannot show it loses nothing that the status comment does not have. */
function jobSummary({ outcome, view, failed }: Summarised): string {
  const { decision, reasonCode, next } = outcome;
  const head = failed === undefined ? `### ${decision}: ${code(reasonCode)}` : `### Failed: ${code(failed)}`;
  const follows = next === 'none' ? 'No job follows.' : `Next: the ${next} job.`;
  const why = whyFailed({ outcome, view, failed });
  if (view === null) return `${[head, ...why, follows].join('\n\n')}\n`;
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
    ...why,
    `**${missionWord(view.mission)}** is ${standsAs(view)} at ${view.seq} events, head ${code(view.head.slice(0, 12))}. ${follows}`,
    ...(effects.length === 0
      ? []
      : [['| effect | target | state | because |', '|---|---|---|---|', ...effects].join('\n')]),
    ...(receipts.length === 0 ? [] : [['| receipt | action | outcome |', '|---|---|---|', ...receipts].join('\n')]),
    `Check it:\n\n${block([`lazarus verify ${view.mission}`])}`,
  ].join('\n\n');
}

const ROWS_MAX = 200;

function whyFailed({ outcome: { decision, reasonCode }, view, failed }: Summarised): string[] {
  const reason = failed ?? (decision === 'failure' && Object.hasOwn(REASONS, reasonCode) ? reasonCode : undefined);
  if (reason === undefined) return [];
  const because = reason as ReasonCode;
  const next = view?.because?.next ?? nextLine({ code: because, mission: view?.mission }, 'issue');
  const { attempt = null } = view ?? {};
  return [
    `${code(REASONS[because].says)} Next: ${code(next)}`,
    ...(attempt?.failure ? failureMarkdown(attempt.failure, FAULTS_MAX) : []),
    ...(attempt === null ? [] : [`Attempt ${attemptCell(attempt)}.`]),
  ];
}

const FAULTS_MAX = 20;
