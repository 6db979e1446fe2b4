// One line with a command, read to the letter: verb, digest, options, words. Printable ASCII only, so that what is shown
// is what is read. Decides nothing about who may.
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { argumentsOf } from './command-arguments.ts';
import { COMMANDS, isVerb, nearestVerb, type CommandInfo, type Verb } from './commands.ts';

export type Command =
  | { readonly verb: 'approve'; readonly digest: string; readonly scope: Scope | null; readonly reason: string }
  | { readonly verb: 'reject'; readonly digest: string; readonly reason: string }
  | { readonly verb: 'withdraw'; readonly reason: string }
  | { readonly verb: 'plan' | 'status' | 'why' }
  | { readonly verb: 'help'; readonly about: Verb | null };
type Scope = 'plan' | 'effects' | 'merge';

/** The reason becomes an artifact; a vote is not the place for a book. */
const REASON_CHARACTERS_MAX = 2_000;
const DIGEST = /^[0-9a-f]{12,64}$/;
const LINE = /^\/(?:lazarus +)?(\S*)(.*)$/;

/** `below`: the text between this command and the next, which says why. */
export function commandOf(line: string, below: string): Verdict<Command> {
  const [, verb = '', rest = ''] = LINE.exec(line) ?? [];
  const foreign = /[^\x20-\x7e]/u.exec(line)?.[0]?.codePointAt(0);
  if (!isVerb(verb)) return unknown(verb);
  if (foreign !== undefined)
    return misread(
      verb,
      `its line holds U+${foreign.toString(16).toUpperCase().padStart(4, '0')}; only plain ASCII may stand there`,
    );
  const info: CommandInfo = COMMANDS[verb];
  const given = argumentsOf(verb, info, rest);
  if (given.is === 'refused') return given;
  const { options, words } = given.value;
  const digest = info.digest === undefined ? undefined : words[0];
  const problem = info.digest === undefined ? undefined : digestProblem(verb, digest);
  if (problem !== undefined) return problem;
  const why = [options.get('reason') ?? '', words.slice(digest === undefined ? 0 : 1).join(' '), below];
  const reason = why.filter((part) => part !== '').join('\n');
  if (reason.length > REASON_CHARACTERS_MAX)
    return misread(verb, `the text that says why is longer than ${REASON_CHARACTERS_MAX} characters`);
  switch (verb) {
    case 'approve':
      return accept({ verb, digest: digest ?? '', scope: (options.get('scope') as Scope | undefined) ?? null, reason });
    case 'reject':
      return accept({ verb, digest: digest ?? '', reason });
    case 'withdraw':
      return accept({ verb, reason });
    case 'plan':
    case 'status':
    case 'why':
      return accept({ verb });
    case 'help': {
      const about = words[0]?.replace(/^\//, '') ?? '';
      return accept({ verb, about: isVerb(about) ? about : null });
    }
    default:
      return refuse('command_unavailable', { command: verb });
  }
}

function unknown(word: string): Refused {
  const near = nearestVerb(word);
  return refuse('unknown_verb', near === undefined ? {} : { did_you_mean: `/${near}` });
}

function digestProblem(verb: Verb, word: string | undefined): Refused | undefined {
  if (word === undefined) return refuse('digest_required', { command: verb });
  if (DIGEST.test(word)) return undefined;
  return misread(verb, 'what follows it is no digest: 12 to 64 digits and lower-case letters from a to f');
}

function misread(command: string, because: string): Refused {
  return refuse('parse_error', { command, because });
}
