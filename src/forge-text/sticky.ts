// The status comment: one per mission, rendered whole from the ledger each time, never read back. State first, then what is
// needed, from whom, and the exact line to paste. Everything that people or models wrote stands in it as code.
import { utf8 } from '../format/bytes.ts';
import { statusMark } from './broken-ledger.ts';
import { driftSentence, editSentence } from './drift-words.ts';
import { attemptCell, failureMarkdown } from './failure-words.ts';
import { shortDigest } from '../next-line.ts';
import { turnInIssue } from './next-turn.ts';
import { block, cell, code, link, login, missionWord } from './shown.ts';
import type { PlanView, StatusView, VoteView } from './status-view.ts';
import {
  ATTEMPT_CHARACTERS,
  becauseWords,
  cancelledWords,
  earlierWords,
  heldWords,
  lateWords,
  readOnlyWords,
  exposedWords,
  names,
  refusedWords,
  reviewWords,
  outputWords,
  spentWords,
  standsAs,
  stillNeeded,
  stoppedWords,
  viaWords,
  waitsForWords,
} from './status-words.ts';
import { folded } from './sticky-folded.ts';

/** A forge shows longer comments slowly, and some refuse them. */
const BYTES_MAX = 60_000;
/** Entries per list; fewer if the comment would be too long. */
const ENTRIES = [100, 30, 8, 2] as const;
/** Of the paths and commands that something failed for: `lazarus why` has the rest. */
const FAULTS_MAX = 10;
const CUSTODY: Readonly<Record<StatusView['custody'], string>> = {
  actions: 'Keys of gate and writer are kept in this repository’s CI: good for tiers 0 and 1 only.',
  daemon: 'Keys of gate and writer are kept outside CI.',
  people: 'Every event is signed by a person’s own key.',
};

export function statusComment(view: StatusView): string {
  for (const entries of ENTRIES) {
    const text = render(view, entries);
    if (utf8(text).length <= BYTES_MAX) return text;
  }
  return render(view, 0);
}

function render(view: StatusView, entries: number): string {
  const { mission, asked, because } = view;
  const count = asked === null ? '' : ` · ${asked.quorum - asked.missing} of ${asked.quorum}`;
  return [
    `${statusMark(view)}\n### ${missionWord(mission)} · ${standsAs(view)}${count}`,
    code(view.goal),
    because === null ? '' : becauseWords(because),
    ...(view.attempt?.failure ? failureMarkdown(view.attempt.failure, Math.min(entries, FAULTS_MAX)) : []),
    table(view, entries),
    ...paste(view),
    ...warnings(view, entries),
    ...folded(view, entries),
    `${CUSTODY[view.custody]} This comment shows the ledger and is never read back.`,
    footer(view),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const EARLIER_MAX = 3;

function table(view: StatusView, entries: number): string {
  const { plan, asked, changed, revision } = view;
  const rows: [string, string][] = [];
  const listed = (items: readonly string[]): string =>
    limited(
      items.map((one) => cell(one)),
      Math.max(entries, 2),
      ', ',
    );
  if (asked !== null && asked.missing > 0) rows.push(['Still needed', stillNeeded(asked)]);
  if (asked !== null && asked.expiresAt !== null) rows.push(['Open until', cell(asked.expiresAt)]);
  if (plan !== null) rows.push(['Plan digest', `${cell(shortDigest(plan.digest))} (${basis(plan, revision)})`]);
  if (asked?.scope === 'effects') rows.push(['Effects digest', cell(shortDigest(asked.digest))]);
  for (const choice of ['approve', 'reject'] as const) {
    const votes = view.votes.filter((vote) => vote.choice === choice);
    if (votes.length > 0)
      rows.push([
        choice === 'approve' ? 'Approved' : 'Rejected',
        limited(votes.map(voteWords), Math.max(entries, 2), ', '),
      ]);
  }
  if (view.proposed !== null) {
    const by = listed(view.proposed.by);
    rows.push(['Proposed', `${by} (${viaWords(view.proposed.how)})`]);
  }
  if (view.follows !== null) rows.push(['Goes on from', cell(view.follows)]);
  if (view.stopped !== null) rows.push(['Project stopped', cell(stoppedWords(view.stopped))]);
  if (view.held !== null) rows.push(['Held', cell(heldWords(view.held))]);
  if (view.waitsFor !== null)
    rows.push(['Waits for', `${cell(waitsForWords(view.waitsFor))}; when that is over, it begins by itself`]);
  if (view.cancelled !== null) rows.push(['Cancelled', cell(cancelledWords(view.cancelled))]);
  rows.push(['Tier', tierWords(view)]);
  if (plan !== null) rows.push(['Grants', grants(plan)], ['Agent', cell(plan.agent)]);
  if (plan !== null && plan.environment.length > 0) rows.push(['Environment', listed(plan.environment)]);
  if (view.environment.length > 0) rows.push(['Prepared', listed(view.environment.map(shortKey))]);
  if (plan !== null && plan.reach.length > 0) rows.push(['Reaches', listed(plan.reach)]);
  if (plan !== null) rows.push(['Printed', cell(outputWords(plan.output))]);
  if (view.exposed !== null) rows.push(['Keys of the runner', cell(exposedWords(view.exposed))]);
  if (view.spent.length > 0) rows.push(['Spent', view.spent.map((one) => cell(spentWords(one))).join(', ')]);
  if (view.refused.length > 0) rows.push(['Refused', listed(view.refused.map(refusedWords))]);
  if (view.readOnly.length > 0) rows.push(['Read-only', listed(view.readOnly.map(readOnlyWords))]);
  if (changed !== null)
    rows.push([
      `Changed since revision ${changed.since} (${cell(shortDigest(changed.digest))})`,
      listed(changed.items),
    ]);
  if (view.work !== null)
    rows.push(['Work', `${cell(view.work.commit.slice(0, 12))}, ${view.work.changed} changed files`]);
  for (const one of view.earlier.slice(-EARLIER_MAX))
    rows.push(['Before', cell(earlierWords(one), ATTEMPT_CHARACTERS)]);
  if (view.attempt !== null) rows.push(['Attempt', attemptCell(view.attempt)]);
  for (const late of view.late.slice(0, Math.max(entries, 2)))
    rows.push(['Kept', `${cell(lateWords(late), ATTEMPT_CHARACTERS)}; in a clone: ${cell(late.line)}`]);
  if (view.pullRequest !== null)
    rows.push([
      'Pull request',
      `${link(String(view.pullRequest), view.home, `/pulls/${view.pullRequest}`)}${reviewWords(view.review)}`,
    ]);
  if (view.review !== null && view.review.changesBy.length > 0)
    rows.push(['Changes requested', `by ${names(view.review.changesBy)}`]);
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

/** Of a digest that nobody types. */
function shortKey(key: string): string {
  return key.slice(0, KEY_CHARACTERS);
}

const KEY_CHARACTERS = 'sha256:'.length + 12;

function basis({ policy, baseRef, baseCommit }: PlanView, revision: number): string {
  return `revision ${revision}, policy ${policy}, base ${cell(baseRef, 100)} at ${cell(baseCommit.slice(0, 12))}`;
}

function tierWords({ tier, plan }: StatusView): string {
  if (plan === null || plan.tierAsked >= tier) return String(tier);
  return `${tier} (${plan.tierAsked} was asked for; the effects below or the policy need ${tier})`;
}

function grants(plan: PlanView): string {
  const asked = plan.capabilities.length === 0 ? 'none' : plan.capabilities.map((one) => cell(one)).join(', ');
  return `${asked} · ${cell(plan.backend)} level ${plan.level} · ${plan.budgetMinutes} min, cell closed after ${plan.ttlMinutes} min`;
}

function voteWords({ login: name, how, at, scope, isSelf }: VoteView): string {
  const parts = [
    viaWords(how),
    cell(at),
    ...(scope === 'effects' ? ['effects'] : []),
    ...(isSelf ? ['**self-approved**'] : []),
  ];
  return `${login(name)} (${parts.join(', ')})`;
}

function paste(view: StatusView): string[] {
  const turn = turnInIssue(view);
  return turn === undefined || turn.type === null ? [] : [`${turn.says}:`, block([turn.type])];
}

function warnings({ drift, edits }: StatusView, entries: number): string[] {
  const lines = [
    ...edits.map((edit) => `- ${editSentence(edit, quoted)}`),
    ...drift.map((one) => `- ${driftSentence(one, quoted)}`),
  ];
  return lines.length === 0 ? [] : [limited(lines, Math.max(entries, 2), '\n')];
}

function quoted(text: string): string {
  return code(text, 100);
}

function footer({ run, head, seq, mission, home }: StatusView): string {
  const parts = [`ledger ${code(head.slice(0, 12))} seq ${seq}`, `verify: ${code(`lazarus verify ${mission}`)}`];
  return [
    ...(run === null ? [] : [link(`Run ${run.id} attempt ${run.attempt}`, home, `/actions/runs/${run.id}`)]),
    ...parts,
  ].join(' · ');
}

function limited(items: readonly string[], max: number, between: string): string {
  const rest = items.length - max;
  const more = between === '\n' ? `- … and ${rest} more` : `… and ${rest} more`;
  return [...items.slice(0, max), ...(rest > 0 ? [more] : [])].join(between);
}
