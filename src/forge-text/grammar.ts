// What a comment asks lazarus to do: at most five commands, all understood or none obeyed. A comment without a command is
// nobody's business. Decides nothing about who may; the words of strangers never come back in a refusal.
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { commandOf, type Command } from './command-line.ts';
import { nearestVerb, VERBS } from './commands.ts';
import { lineKinds, type LineKind } from './comment-lines.ts';
import { hiddenCharacter, isComposed } from './hidden.ts';

export type { Command } from './command-line.ts';
export type CommentReading = { readonly is: 'no_command' } | Verdict<readonly Command[]>;

const COMMANDS_MAX = 5;
const COMMENT_CHARACTERS_MAX = 65_536;
/** Whatever carries it was written by lazarus, or wants to pass for it. */
const OWN_MARK = '<!-- lazarus:';
const FIRST_WORD = /^\/(\S{1,40})(?=\s|$)/;
const CERTAINLY_OURS = new RegExp(`^/(?:lazarus|${VERBS.join('|')})(?=\\s|$)`, 'm');

export function readComment(body: string): CommentReading {
  const text = body.replaceAll('\r\n', '\n');
  if (text.length > COMMENT_CHARACTERS_MAX)
    return CERTAINLY_OURS.test(text)
      ? misread(`the comment is longer than ${COMMENT_CHARACTERS_MAX} characters`)
      : { is: 'no_command' };
  if (text.includes(OWN_MARK)) return { is: 'no_command' };
  const lines = text.split('\n');
  const kinds = lineKinds(lines);
  const commands = lines.flatMap((line, i) => {
    if (kinds[i] === 'text') return isForUs(line) ? [i] : [];
    return kinds[i] === 'unclear' && CERTAINLY_OURS.test(line) ? [i] : [];
  });
  if (commands.length === 0) return { is: 'no_command' };
  if (commands.some((i) => kinds[i] === 'unclear'))
    return misread(
      'HTML or nested blocks above it leave open whether it is a command; write it in a comment of its own',
    );
  return unreadable(text, commands.length) ?? readAll(lines, kinds, commands);
}

/** Other bots have commands too: a word that is not nearly one of ours is theirs, or text. */
function isForUs(line: string): boolean {
  const word = FIRST_WORD.exec(line)?.[1];
  return word !== undefined && (word === 'lazarus' || nearestVerb(word) !== undefined);
}

function unreadable(text: string, commands: number): Refused | undefined {
  if (commands > COMMANDS_MAX) return misread(`there are more than ${COMMANDS_MAX} commands in the comment`);
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined) return misread(`the comment holds a character that is not shown (${hidden})`);
  return isComposed(text) ? undefined : misread('letters and their accents are separate characters (not Unicode NFC)');
}

function readAll(lines: readonly string[], kinds: readonly LineKind[], at: readonly number[]): CommentReading {
  const commands: Command[] = [];
  for (const [n, i] of at.entries()) {
    const below = lines
      .slice(i + 1, at[n + 1])
      .filter((_, k) => kinds[i + 1 + k] === 'text' || lines[i + 1 + k] === '');
    const command = commandOf(lines[i] ?? '', below.join('\n').trim());
    if (command.is === 'refused') return command;
    commands.push(command.value);
  }
  return accept(commands);
}

function misread(because: string): Refused {
  return refuse('parse_error', { because });
}
