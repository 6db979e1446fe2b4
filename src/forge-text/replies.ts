// The one reply a command may get: code first, what happened, why, and the next line to paste. State is shown in the status
// comment alone. Never says back what a stranger typed.
import { REASONS, type Facts, type Reason } from '../reasons.ts';
import { COMMANDS, isVerb, VERBS, type CommandInfo, type Verb } from './commands.ts';
import { driftSentence } from './drift-words.ts';
import { attemptCell, failureMarkdown } from './failure-words.ts';
import { nextLine, shortDigest, type Stuck } from '../next-line.ts';
import { turnInIssue } from './next-turn.ts';
import { block, code, cut, link, login, missionWord, word } from './shown.ts';
import { visible } from './hidden.ts';
import type { StatusView } from './status-view.ts';
import {
  ATTEMPT_CHARACTERS,
  becauseWords,
  cancelledWords,
  earlierWords,
  heldWords,
  lateWords,
  readOnlyWords,
  standsAs,
  stillNeeded,
  stoppedWords,
  waitsForWords,
} from './status-words.ts';

/** What a reply answers: the mission if there is one, and a comment by its number or a form by its words' hash. */
export type Answered = { readonly mission: string | null; readonly to: number | string };

/** Lets a projection see that it has answered already; a reply counts as ours only by its author's id. */
export function replyMark({ mission, to }: Answered): string {
  return `<!-- lazarus:reply v1 mission=${word(mission ?? '')} to=${word(String(to))} -->`;
}

export type Refusal = Pick<Stuck, 'code' | 'waits' | 'verb'> & { readonly facts: Facts };

export function refusalReply(answered: Answered, refused: Refusal): string {
  const { code: because, facts } = refused;
  const { says, exit }: Reason = REASONS[because];
  const line = nextLine({ ...refused, mission: answered.mission }, 'issue');
  return join([
    `${replyMark(answered)}\n**${code(because)}** ${says}`,
    factLines(facts, exit),
    line.startsWith('/') ? `Next:\n\n${block([line])}` : `Next: ${code(line)}`,
  ]);
}

/** Of a form that came while the project was stopped: nobody has to file it again. */
export function isPutOff(reply: string): boolean {
  const [mark = '', words = ''] = reply.split('\n');
  return mark.startsWith(FORM_MARK) && words.startsWith(`**${code('project_halted')}**`);
}

/** Where there is no mission yet. */
const FORM_MARK = replyMark({ mission: null, to: '' }).replace(/ to=.*/, ' ');

/** `/why`: what is missing, and who can give it. */
export function whyReply(answered: Answered, view: StatusView): string {
  const { asked, attempt, because, changed, drift, cancelled, held, waitsFor, stopped, readOnly, late, earlier } = view;
  const isAsked = asked !== null && asked.missing > 0 && stopped === null;
  const turn = turnInIssue(view);
  return join([
    `${replyMark(answered)}\n**${missionWord(view.mission)}** is ${standsAs(view)}.`,
    because === null ? '' : becauseWords(because),
    ...(attempt?.failure ? failureMarkdown(attempt.failure, FAULTS_MAX) : []),
    readOnly.map((one) => `- read-only: ${code(readOnlyWords(one))}`).join('\n'),
    earlier.map((one) => `- before: ${code(earlierWords(one), ATTEMPT_CHARACTERS)}`).join('\n'),
    attempt === null ? '' : `Attempt ${attemptCell(attempt)}.`,
    late.map((one) => `- kept: ${code(lateWords(one), ATTEMPT_CHARACTERS)}; in a clone: ${code(one.line)}`).join('\n'),
    cancelled === null ? '' : `Cancelled ${code(cancelledWords(cancelled))}.`,
    held === null ? '' : `Held ${code(heldWords(held))}.`,
    waitsFor === null ? '' : `It waits for ${code(waitsForWords(waitsFor))}, and begins by itself when that is over.`,
    changed === null
      ? ''
      : `Changed since revision ${changed.since} (${code(shortDigest(changed.digest))}): ${changed.items
          .slice(0, CHANGES_MAX)
          .map((item) => code(item))
          .join(', ')}`,
    drift.map((one) => `- ${driftSentence(one, (text) => code(text, 100))}`).join('\n'),
    stopped === null ? '' : `The project is stopped ${code(stoppedWords(stopped))}.`,
    isAsked
      ? `Missing: ${stillNeeded(asked)}.`
      : because === null && stopped === null && held === null
        ? 'Nothing is missing from people.'
        : '',
    turn === undefined || turn.type === null ? '' : `${turn.says}:\n\n${block([turn.type])}`,
  ]);
}

/** The attempt at hand, and how many there may be. */
export type Attempts = { readonly no: number; readonly of: number };

/** `/retry`: what that came to. Who is asked, and for what, whoever gives it reads above and in the line to paste. */
export function retriedReply(answered: Answered, view: StatusView, { no, of }: Attempts): string {
  const { asked } = view;
  const turn = turnInIssue(view);
  const isAsked = asked !== null && asked.missing > 0;
  const says = isAsked
    ? `What was approved is no longer so: people are asked again, for attempt ${no} of ${of}.`
    : `Attempt ${no} of ${of} is ${standsAs(view)}.`;
  return join([
    `${replyMark(answered)}\n**${missionWord(view.mission)}** ${says}`,
    isAsked && turn !== undefined && turn.type !== null ? `${turn.says}:\n\n${block([turn.type])}` : '',
  ]);
}

/** `by`: the mission that goes on; null where none came of it yet, and the new issue says why. */
export type Followed = { readonly inIssue: number; readonly by: string | null; readonly home: string };

/** `/followup`: where it goes on. What it asks for and who is asked stands there. */
export function followedReply(answered: Answered, { inIssue, by, home }: Followed): string {
  const where = link(`issue ${inIssue}`, home, `/issues/${inIssue}`);
  const what =
    by === null ? 'It was asked for, and what came of that stands' : `**${missionWord(by)}** goes on from here`;
  return join([
    `${replyMark(answered)}\n${what} in ${where}. Nothing is approved by that: it is asked for there, as for any other.`,
  ]);
}

/** Tells one comment's follow-up from every other issue of ours. */
export function followUpTitle({
  goal,
  from,
  comment,
}: {
  readonly goal: string;
  readonly from: string;
  readonly comment: number;
}): string {
  return `mission: ${cut(visible(goal), TITLE_CHARACTERS_MAX)} (after ${word(from)}, comment ${comment})`;
}

const TITLE_CHARACTERS_MAX = 160;

/** `/help`, from the table the parser itself reads: what may be typed, by whom, and when. */
export function helpReply(answered: Answered, about: Verb | null): string {
  if (about !== null) {
    const { usage, who, when, does }: CommandInfo = COMMANDS[about];
    return join([`${replyMark(answered)}\n${code(usage)} ${does}.`, `- Who: ${who}\n- When: ${when}`]);
  }
  const rows = VERBS.map((verb) => {
    const { usage, who, when, does } = COMMANDS[verb];
    return `| ${code(usage)} | ${who} | ${when} | ${does} |`;
  });
  return join([
    `${replyMark(answered)}\nCommands are the first lines of a comment, at most five, all understood or none obeyed. On such a line stands nothing else; what you want to say goes below, in any language. ${code('/lazarus approve …')} works where another bot owns ${code('/approve')}.`,
    ['| Command | Who may | When | What it does |', '|---|---|---|---|', ...rows].join('\n'),
  ]);
}

/** Somebody who is not on the roster filed the form: one answer, nothing begun, nothing stored. */
export function strangerReply(answered: Answered): string {
  return join([
    `${replyMark(answered)}\n**${code('not_authorised')}** This proposal waits for a member: whoever filed it is not on the roster of this project. Nothing was begun and nothing was stored.`,
    `A member who adopts it counts as its proposer, and does so with a new comment:\n\n${block(['/plan'])}`,
  ]);
}

export type LostCommand = {
  readonly by: string;
  readonly verbs: readonly string[];
  readonly home: string;
  readonly issue: number;
  readonly comment: number;
};

/** Reconcile found a command that no run has seen. A comment that is fetched proves nothing: it may have been edited. */
export function typeAgainReply(answered: Answered, lost: LostCommand): string {
  const { by, verbs, home, issue, comment } = lost;
  const known = verbs.filter(isVerb).map((verb) => code(`/${verb}`));
  return join([
    `${replyMark(answered)}\n**${code('type_again')}** ${link('A comment', home, `/issues/${issue}#issuecomment-${comment}`)} of ${login(by)} with ${known.join(', ') || 'a command'} was heard by no run: the forge lost its event, or somebody put that into it afterwards.`,
    'Nobody can tell later, so nothing was done for it. Whoever wrote the comment and means it writes it again, as a new one.',
  ]);
}

function factLines(facts: Facts, exit: Reason['exit']): string {
  const { problems, ...others } = facts;
  const lines = Object.entries(others).flatMap(([name, value]) =>
    // Where a refused event would have stood says nothing to whoever typed the command, nor does the ledger's long name of
    // the mission that this issue is about.
    (name === 'index' && exit !== EXIT_NOT_WHOLE) || (name === 'mission' && UUID.test(String(value)))
      ? []
      : [`- ${name.replaceAll('_', ' ')}: ${code(Array.isArray(value) ? value.join(', ') : String(value))}`],
  );
  const listed = Array.isArray(problems) ? (problems as readonly string[]).map((problem) => `- ${code(problem)}`) : [];
  return [...lines, ...listed].slice(0, FACTS_MAX).join('\n');
}

const FACTS_MAX = 40;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Where a ledger does not verify, the place of the flaw is what people need. */
const EXIT_NOT_WHOLE = 6;
const CHANGES_MAX = 20;
const FAULTS_MAX = 20;

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
