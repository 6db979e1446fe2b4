// What follows a verb on its line: options, quoted texts and words. Knows which options a command has, and no more of it.
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import type { CommandInfo } from './commands.ts';

export type Arguments = { readonly options: ReadonlyMap<string, string>; readonly words: readonly string[] };

const QUOTED = String.raw`"((?:[^"\\]|\\["\\])*)"`;
const OPTION = new RegExp(` +--([a-z]+)(?:=(?:${QUOTED}|([^" ][^ ]*)))?(?= |$)`, 'y');
const TEXT = new RegExp(` +(?:${QUOTED}|((?!--|")[^ ]+))(?= |$)`, 'y');
const REST = / *$/y;

export function argumentsOf(command: string, info: CommandInfo, rest: string): Verdict<Arguments> {
  const options = new Map<string, string>();
  const words: string[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(rest);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (take(REST) === null) {
    const option = take(OPTION);
    const text = option === null ? take(TEXT) : null;
    if (option !== null) {
      const [, name = '', quoted, bare] = option;
      const value = quoted === undefined ? bare : unescaped(quoted);
      const problem = options.has(name) ? `--${name} stands twice` : misuse(info, name, value);
      if (problem !== undefined) return misread(command, problem);
      options.set(name, value ?? '');
    } else if (text !== null) {
      words.push(text[1] === undefined ? (text[2] ?? '') : unescaped(text[1]));
    } else {
      return misread(command, 'a quote is not closed, or an option is not written --name or --name=value');
    }
  }
  return accept({ options, words });
}

/** Names of options come from strangers: only those of the table are said back. */
function misuse(info: CommandInfo, name: string, value: string | undefined): string | undefined {
  const known = info.options ?? {};
  const values = Object.hasOwn(known, name) ? known[name] : undefined;
  if (values === undefined) {
    const names = Object.keys(known).map((option) => `--${option}`);
    return `it has ${names.length === 0 ? 'no options' : `no other options than ${names.join(', ')}`}`;
  }
  if (values === 'none') return value === undefined ? undefined : `--${name} takes no value`;
  if (value === undefined) return `--${name} needs a value`;
  if (values !== 'any' && !values.includes(value)) return `--${name} is one of ${values.join(', ')}`;
  return undefined;
}

function unescaped(quoted: string): string {
  return quoted.replaceAll(/\\(["\\])/g, '$1');
}

function misread(command: string, because: string): Refused {
  return refuse('parse_error', { command, because });
}
