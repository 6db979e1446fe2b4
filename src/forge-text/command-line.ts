// One line with a command, read to the letter: a verb, its digest, and nothing else, but for the goal of a follow-up. Printable
// ASCII only, in a goal nothing hidden, so that what is shown is what is read. Decides nothing about who may; what a stranger
// typed never comes back in a refusal.
import { GOAL_CHARACTERS_MAX } from '../kernel/limits.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { COMMANDS, isVerb, nearestVerb, type Verb } from './commands.ts';
import { hiddenCharacter, isComposed, oddSpace } from './hidden.ts';

export type Command =
  | { readonly verb: 'approve'; readonly digest: string; readonly reason: string }
  | { readonly verb: 'reject'; readonly digest: string; readonly isFinal: boolean; readonly reason: string }
  | { readonly verb: 'cancel' | 'hold' | 'unhold'; readonly reason: string }
  | { readonly verb: 'withdraw' }
  | { readonly verb: 'retry' }
  /** `purpose`: the text below the commands. */
  | { readonly verb: 'followup'; readonly goal: string; readonly purpose: string }
  | { readonly verb: 'plan' }
  | { readonly verb: 'status' }
  | { readonly verb: 'why' }
  /** Null: the latest attempt that had work. */
  | { readonly verb: 'diff'; readonly attempt: number | null }
  | { readonly verb: 'help'; readonly about: Verb | null };

/** The one option there is: the mission ends with this rejection. */
const FINAL = '--final';
const DIGEST = /^[0-9a-f]{12,64}$/;
const ATTEMPT = /^[1-9][0-9]{0,2}$/;
const LINE = /^\/(?:lazarus +)?(\S*)(.*)$/s;

/** `reason`: the text below the commands. */
export function commandOf(line: string, reason: string): Verdict<Command> {
  const [, verb = '', rest = ''] = LINE.exec(line) ?? [];
  if (!isVerb(verb)) return unknown(verb);
  if (verb === 'followup') return followUpOf(rest.trim(), reason);
  const foreign = /[^\x20-\x7e]/u.exec(line)?.[0]?.codePointAt(0);
  if (foreign !== undefined)
    return misread(verb, `its line holds ${named(foreign)}; only plain ASCII may stand there, and the reason below it`);
  const words = rest.split(' ').filter((word) => word !== '');
  switch (verb) {
    case 'approve': {
      const digest = digestOf(verb, words);
      return digest.is === 'refused' ? digest : accept({ verb, digest: digest.value, reason });
    }
    case 'reject': {
      const digest = digestOf(
        verb,
        words.filter((word) => word !== FINAL),
      );
      const isFinal = words.includes(FINAL);
      return digest.is === 'refused' ? digest : accept({ verb, digest: digest.value, isFinal, reason });
    }
    case 'help': {
      const about = words[0]?.replace(/^\//, '') ?? '';
      return tooMany(verb, words.slice(1)) ?? accept({ verb, about: isVerb(about) ? about : null });
    }
    case 'diff': {
      const [word, number, ...others] = words;
      if (word === undefined) return accept({ verb, attempt: null });
      if (word === 'attempt' && number !== undefined && ATTEMPT.test(number))
        return tooMany(verb, others, `/diff attempt ${number}`) ?? accept({ verb, attempt: Number(number) });
      return misread(verb, 'what may follow it is the word attempt and its number', '/diff attempt 1');
    }
    case 'cancel':
    case 'hold':
    case 'unhold':
      return tooMany(verb, words) ?? accept({ verb, reason });
    case 'withdraw':
    case 'retry':
    case 'plan':
    case 'status':
    case 'why':
      return tooMany(verb, words) ?? accept({ verb });
  }
}

/** The one line with words of people: they are shown and agreed to as the goal of a plan, in any language. */
function followUpOf(goal: string, purpose: string): Verdict<Command> {
  const verb = 'followup';
  const instead = COMMANDS.followup.usage;
  if (goal === '') return misread(verb, 'the goal of the new mission stands behind it', instead);
  if (goal.startsWith('<')) return misread(verb, 'the goal is to be in your own words');
  if (goal.length > GOAL_CHARACTERS_MAX)
    return misread(verb, `the goal is longer than ${GOAL_CHARACTERS_MAX} characters; the rest goes on the lines below`);
  const hidden = hiddenCharacter(goal) ?? oddSpace(goal);
  if (hidden !== undefined || !isComposed(goal))
    return misread(verb, hidden === undefined ? 'the goal is not in Unicode form NFC' : `the goal holds ${hidden}`);
  return accept({ verb, goal, purpose });
}

function digestOf(command: Verb, [digest, ...others]: readonly string[]): Verdict<string> {
  if (digest === undefined || digest.startsWith('--'))
    return digest === undefined ? refuse('digest_required', { command }) : tooMany(command, [digest])!;
  if (!DIGEST.test(digest))
    return misread(command, 'what follows it is no digest: 12 to 64 digits and lower-case letters from a to f');
  return tooMany(command, others, `/${command} ${digest}`) ?? accept(digest);
}

/** `instead`: the line as it should stand, made of what was understood. */
function tooMany(command: Verb, words: readonly string[], instead = `/${command}`): Refused | undefined {
  if (words.length === 0) return undefined;
  const option = words.find((word) => word.startsWith('--'));
  const because =
    option === undefined
      ? 'more stands on its line than belongs there; the reason goes on the lines below'
      : (GONE.get(option.split('=')[0]!) ?? 'it has no options');
  return misread(command, because, instead === '/approve' || instead === '/reject' ? `${instead} <digest>` : instead);
}

/** Options that people may know from elsewhere, and what to type. */
const GONE: ReadonlyMap<string, string> = new Map([
  ['--scope', 'there is no --scope: the digest alone says what is approved'],
  ['--reason', 'there is no --reason: the reason goes on the lines below'],
]);

function unknown(word: string): Refused {
  const near = nearestVerb(word);
  return refuse('unknown_verb', near === undefined ? {} : { did_you_mean: `/${near}` });
}

function named(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

function misread(command: Verb, because: string, instead?: string): Refused {
  return refuse('parse_error', { command, because, ...(instead === undefined ? {} : { instead }) });
}
