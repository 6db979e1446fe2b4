// What a comment asks lazarus to do: its first line, and the lines right below while they begin with a slash. All commands are
// understood or none is obeyed; whatever follows says why, and is never read. Knows no Markdown, and not who may.
import { refuse, type Refused } from '../kernel/verdict.ts';
import { commandOf, type Command } from './command-line.ts';
import { MANNERS, nearestVerb, VERBS } from './commands.ts';

export type { Command } from './command-line.ts';
/** `further_down`: no command opens the comment, and one stands below, where none is obeyed. */
export type CommentReading =
  | { readonly is: 'no_command' }
  | { readonly is: 'further_down' }
  | Refused
  /** `hasMoreBelow`: what looks like a command stands further down as well, and is not obeyed. */
  | { readonly is: 'accepted'; readonly value: readonly Command[]; readonly hasMoreBelow: boolean };

const COMMANDS_MAX = 5;
/** What begins with it was written by lazarus, or is a whole copy of that. A quote of it begins with the sign of a quote. */
const OWN_MARK = '<!-- lazarus:';
const FIRST_WORD = /^\/(\S{1,40})(?=\s|$)/;
const CERTAINLY_OURS = new RegExp(`^/(?:lazarus|${VERBS.join('|')})(?=\\s|$)`);

export function readComment(body: string): CommentReading {
  if (body.startsWith(OWN_MARK)) return { is: 'no_command' };
  const { opening, below } = parts(body);
  const lines = opening.filter(isForUs);
  if (lines.length === 0) return { is: standsIn(below) ? 'further_down' : 'no_command' };
  if (lines.length > COMMANDS_MAX) return misread(`there are more than ${COMMANDS_MAX} commands in the comment`);
  const reason = below.join('\n').trim();
  const commands: Command[] = [];
  for (const line of lines) {
    const command = commandOf(line, reason);
    if (command.is === 'refused') return command;
    commands.push(command.value);
  }
  if (commands.filter(changes).length > 1)
    return misread('more than one of its commands changes something; write a comment for each of them');
  return { is: 'accepted', value: commands, hasMoreBelow: standsIn(below) };
}

type Parts = { readonly opening: readonly string[]; readonly below: readonly string[] };

function parts(body: string): Parts {
  const lines = body.split(/\r?\n/);
  const end = lines.findIndex((line) => !line.startsWith('/'));
  return end === -1 ? { opening: lines, below: [] } : { opening: lines.slice(0, end), below: lines.slice(end) };
}

function standsIn(below: readonly string[]): boolean {
  return below.some((line) => CERTAINLY_OURS.test(line));
}

/** Other bots have commands too: a word that is not nearly one of ours is theirs, or text. */
function isForUs(line: string): boolean {
  const word = FIRST_WORD.exec(line)?.[1];
  return CERTAINLY_OURS.test(line) || (word !== undefined && nearestVerb(word) !== undefined);
}

/** A comment counts once, and so does what it says. */
export function changes({ verb }: Pick<Command, 'verb'>): boolean {
  return MANNERS[verb].is !== 'question';
}

function misread(because: string): Refused {
  return refuse('parse_error', { because });
}
