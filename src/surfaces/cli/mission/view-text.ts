// How a mission reads on a terminal, and as JSON: its plan for whoever has to approve it, its status for whoever asks.
// The words are the same wherever they stand. Knows no ledger.
import { courseOf } from '../../../kernel/course/steps.ts';
import { stateWords } from '../../../forge-text/states.ts';
import { driftSentence, editSentence } from '../../../forge-text/drift-words.ts';
import type { AskedView, Drift, EffectView, StatusView, VoteView } from '../../../forge-text/status-view.ts';
import { attemptWords, failureRows } from '../../../forge-text/failure-words.ts';
import { shortDigest } from '../../../next-line.ts';
import type { NextTurn } from '../../../forge-text/next-turn.ts';
import {
  cancelledWords,
  earlierWords,
  heldWords,
  lateWords,
  waitsForWords,
  readOnlyWords,
  exposedWords,
  refusedWords,
  spentWords,
  stoppedWords,
  viaWords,
} from '../../../forge-text/status-words.ts';
import { aligned, type Line } from '../output.ts';
import { planJson, planRows, recorded } from './plan-text.ts';
import type { View } from './view.ts';

/** Everything an approval covers. */
export function planLines(view: View): Line[] {
  const { status, state, plan } = view;
  const shown = recorded(state, plan);
  const rows = shown === undefined ? [['goal', status.goal]] : planRows(shown);
  return [headline(status), ...indented([...rows, ...standingRows(status)]), ...nextLines(view.next)];
}

export function statusLines({ status, next }: View): Line[] {
  const rows = [['goal', status.goal], ...ranRows(status), ...standingRows(status)];
  for (const { id, action, outcome } of status.receipts) rows.push(['receipt', `${id}  ${action}: ${outcome}`]);
  return [headline(status), ...indented(rows), ...nextLines(next)];
}

/** What is missing and from whom; for a mission that waits for nobody, what it does wait for. */
export function whyLines({ status, next }: View): Line[] {
  return [headline(status), ...indented(standingRows(status)), ...nextLines(next)];
}

/** Who works, and with what, where that is more than a command. */
function ranRows({ plan, environment }: StatusView): string[][] {
  if (plan === null || (plan.reach.length === 0 && environment.length === 0)) return [];
  return [
    ['agent', plan.agent],
    ...(plan.reach.length === 0 ? [] : [['reaches', plan.reach.join(', ')]]),
    ...environment.map((key) => ['prepared', key]),
  ];
}

function nextLines({ says, type }: NextTurn): Line[] {
  return type === null ? [`  ${says}`] : [`  ${says}:`, `  next: ${type}`];
}

function headline({ mission, state, asked }: StatusView): Line {
  const count = asked === null ? '' : `, ${asked.quorum - asked.missing} of ${asked.quorum}`;
  return [{ text: mission, style: 'bold' }, `  ${stateWords(state)}${count}`];
}

/** How far people and effects have come. */
function standingRows({
  because,
  asked,
  proposed,
  votes,
  effects,
  changed,
  drift,
  edits,
  cancelled,
  held,
  waitsFor,
  follows,
  stopped,
  spent,
  refused,
  readOnly,
  attempt,
  earlier,
  late,
  exposed,
}: StatusView): string[][] {
  const begun = effects.filter((effect) => effect.state !== 'proposed');
  return [
    ...(because === null ? [] : [['because', `${because.code}: ${because.says}`]]),
    ...(attempt?.failure ? failureRows(attempt.failure).map((row) => [...row]) : []),
    ...(stopped === null ? [] : [['stopped', stoppedWords(stopped)]]),
    ...(held === null ? [] : [['held', heldWords(held)]]),
    ...(follows === null ? [] : [['goes on from', follows]]),
    ...(waitsFor === null ? [] : [['waits for', waitsForWords(waitsFor)]]),
    ...(cancelled === null ? [] : [['cancelled', cancelledWords(cancelled)]]),
    ...(changed === null ? [] : [['changed', changedWords(changed)]]),
    ...drift.map((one) => ['moved', driftSentence(one, plain)]),
    ...edits.map((one) => ['edited', editSentence(one, plain)]),
    ...(proposed === null ? [] : [['proposed', `${proposed.by.join(', ')} (${viaWords(proposed.how)})`]]),
    ...votes.map((vote) => [vote.choice === 'approve' ? 'approved' : 'rejected', voteWords(vote)]),
    ...(asked === null || asked.missing === 0 ? [] : [['missing', missingWords(asked)]]),
    ...(exposed === null ? [] : [['keys', exposedWords(exposed)]]),
    ...spent.map((one) => ['spent', spentWords(one)]),
    ...refused.map((one) => ['refused', refusedWords(one)]),
    ...readOnly.map((one) => ['read-only', readOnlyWords(one)]),
    ...earlier.map((one) => ['before', earlierWords(one)]),
    ...(attempt === null ? [] : [['attempt', attemptWords(attempt)]]),
    ...late.map((one) => ['kept', `${lateWords(one)}: ${one.line}`]),
    ...begun.map((effect) => ['effect', effectWords(effect)]),
  ];
}

function changedWords({ since, digest, items }: NonNullable<StatusView['changed']>): string {
  return `since revision ${since} (${shortDigest(digest)}): ${items.join(', ')}`;
}

/** What is printed is made harmless where it is printed. */
function plain(text: string): string {
  return text;
}

function missingWords({ missing, quorum, scope, digest, from, possible, cannot }: AskedView): string {
  const few = possible < missing ? `only ${possible} can come, ` : '';
  const who = from.length === 0 ? 'nobody on the roster may give it' : `${few}of ${from.join(', ')}`;
  const others = cannot.map(({ login, because }) => `; ${login} may not: ${because}`).join('');
  return `${missing} of ${quorum} for the ${scope} ${shortDigest(digest)}, ${who}${others}`;
}

function voteWords({ login, how, at, scope, isSelf }: VoteView): string {
  return `${login} (the ${scope}, ${viaWords(how)}, ${at})${isSelf ? ', self-approved' : ''}`;
}

function effectWords({ what, target, state, because }: EffectView): string {
  return `${what} ${target}: ${state}${because === null ? '' : ` (${because})`}`;
}

export function indented(rows: readonly (readonly string[])[]): string[] {
  return aligned(rows.map(([name = '', ...rest]) => [`  ${name}`, ...rest]));
}

/**
 * Every field of the status by its name, so that one which was thought of for people alone does not compile. Left out is what
 * is told by the plan or by the events themselves, and what a page alone needs.
 */
export function viewJson({ status, state, plan, next }: View): Readonly<Record<string, unknown>> {
  const { mission, goal, revision, head, seq, because, cancelled, held, stopped, follows, waitsFor, ...more } = status;
  const { asked, proposed, votes, changed, drift, edits, attempt: told, earlier, late, work, ...rest } = more;
  const { effects, receipts, pullRequest, review, environment, spent, refused, readOnly, exposed, ...last } = rest;
  const { state: shownState, tier: _tier, plan: _plan, history: _history, run: _run, ...pages } = last;
  const { home: _home, custody: _custody, ...unnamed } = pages;
  unnamed satisfies Record<string, never>;
  const attempt = courseOf(state)?.attempt ?? null;
  const shown = recorded(state, plan);
  return {
    mission,
    mission_id: state.ledger_id,
    state: shownState,
    because: becauseJson(because),
    cancelled,
    held: heldJson(held),
    stopped,
    goal,
    revision,
    head,
    size: seq,
    plan: shown === undefined ? null : planJson(shown),
    asked: askedJson(asked),
    changed,
    drift: drift.map(driftJson),
    edits,
    proposed,
    votes: votes.map(({ isSelf, ...vote }) => ({ ...vote, is_self: isSelf })),
    attempt:
      attempt === null
        ? null
        : {
            no: attempt.no,
            status: attempt.status,
            work: attempt.work,
            took: told?.took ?? [],
            failure: told?.failure ?? null,
          },
    earlier,
    work,
    environment,
    spent: spent.map(({ tokensIn, tokensOut, ...line }) => ({ ...line, tokens_in: tokensIn, tokens_out: tokensOut })),
    refused,
    read_only: readOnly,
    exposed,
    late,
    effects,
    receipts,
    pull_request: pullRequest,
    review: reviewJson(review),
    path_held_by: waitsFor,
    follows,
    next: next.type,
  };
}

function reviewJson(review: StatusView['review']): object | null {
  if (review === null) return null;
  const { mergedBy, changesBy, ...rest } = review;
  return { ...rest, merged_by: mergedBy, changes_by: changesBy };
}

function becauseJson(because: StatusView['because']): object | null {
  if (because === null) return null;
  const { isLast, ...said } = because;
  return { ...said, is_last: isLast === true };
}

function heldJson(held: StatusView['held']): object | null {
  if (held === null) return null;
  const { isSigned: _, ...said } = held;
  return said;
}

function driftJson(drift: Drift): object {
  if (drift.is !== 'base') return drift;
  const { goesOn, ...rest } = drift;
  return { ...rest, goes_on: goesOn };
}

function askedJson(asked: AskedView | null): object | null {
  if (asked === null) return null;
  const { expiresAt, ...rest } = asked;
  return { ...rest, expires_at: expiresAt };
}
