// Text of people and models inside our own Markdown: always code, never prose. In code no mention notifies, no link leads
// anywhere, no image loads, no HTML is HTML, on any forge. Knows nothing of what the text means.
import { visible } from './hidden.ts';

const CHARACTERS_MAX = 300;

/** A code span that shows the text, whatever it is, on one line. */
export function code(text: string, charactersMax = CHARACTERS_MAX): string {
  const line = bounded(text, charactersMax).trim();
  if (line === '') return '(empty)';
  const ticks = '`'.repeat(longestRun(line) + 1);
  return line.includes('`') ? `${ticks} ${line} ${ticks}` : `\`${line}\``;
}

/** The same inside a table, where forges disagree on what an escaped bar is: bars and backslashes as code points. */
export function cell(text: string, charactersMax = CHARACTERS_MAX): string {
  const short = text.slice(0, 2 * charactersMax + 2);
  return code(short.replaceAll('\\', '[U+005C]').replaceAll('|', '[U+007C]'), charactersMax);
}

/** A block of lines, shown as they are. */
export function block(lines: readonly string[], language = 'text'): string {
  const shown = lines.map((line) => bounded(line, CHARACTERS_MAX * 2).trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return `${fence}${language}\n${shown.join('\n')}\n${fence}`;
}

/** A person or bot of the forge, named without being called. */
export function login(name: string): string {
  return cell(`@${name}`, 60);
}

/**
 * A link into our own repository. `home` is where we run, from our own configuration; the rest is numbers. No address that
 * somebody sent ever becomes a link.
 */
export function link(words: string, home: string, path: string): string {
  return HOME.test(home) && PATH.test(path) ? `[${words}](${home}${path})` : words;
}

const HOME = /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)*$/;
const PATH = /^(?:\/[a-z]+|\/\d+)+(?:#issuecomment-\d+)?$/;

/** The name of a mission in prose; no other word gets there. */
export function missionWord(name: string): string {
  return /^m-[0-9a-f]{12}$/.test(name) ? name : code(name, 60);
}

/** For attributes of our own markers: one word. */
export function word(text: string): string {
  return /^[A-Za-z0-9._:-]{1,100}$/.test(text) ? text : 'none';
}

export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const letters = Array.from(text);
  return letters.length <= charactersMax ? text : `${letters.slice(0, charactersMax - 1).join('')}…`;
}

/** Cut before it is made visible as well: whoever sends megabytes pays for them himself. */
function bounded(text: string, charactersMax: number): string {
  return cut(visible(text.slice(0, 2 * charactersMax + 2)), charactersMax);
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
