// Which lines of one paragraph can hold a command: not those inside code, a link, an image or a deletion that began on a
// line above. Looks only at lines that begin with a slash. Knows no command.
import type { LineKind } from './comment-lines.ts';

/** More lines with a slash than any comment needs: somebody is trying how long this takes. */
const SLASHES_MAX = 20;
/** Raw HTML; an address in angle brackets is none. */
const TAG = /<(?![a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]*>)[a-zA-Z/!?]/;
const CLOSED_TARGET = /^[^\s()"'<>]*\)/;

export function paragraphKinds(lines: readonly string[]): readonly LineKind[] {
  const text = maskCode(lines.join('\n'));
  let start = 0;
  let slashes = 0;
  return lines.map((line) => {
    const at = start;
    start += line.length + 1;
    if (!line.startsWith('/')) return 'text';
    slashes += 1;
    if (slashes > SLASHES_MAX) return 'unclear';
    return text.startsWith('/', at) ? kindAfter(text.slice(0, at), text.slice(at)) : 'other';
  });
}

function kindAfter(before: string, after: string): LineKind {
  if (TAG.test(before) && `${before}${after}`.includes('>')) return 'unclear';
  const targets = before.split('](').slice(1);
  if (targets.some((rest) => !CLOSED_TARGET.test(rest))) return 'unclear';
  if (depth(before) > 0 && after.includes(']')) return 'other';
  if ((before.match(/~+/g) ?? []).length % 2 === 1 && after.includes('~')) return 'other';
  return 'text';
}

function depth(text: string): number {
  let open = 0;
  for (const character of text) {
    if (character === '[') open += 1;
    else if (character === ']') open = Math.max(0, open - 1);
  }
  return open;
}

/** Code spans and escaped characters, line breaks included, as blanks: what is left is markup, at its own place. */
function maskCode(text: string): string {
  const runs = Array.from(text.matchAll(/`+/g), (found) => ({ at: found.index, length: found[0].length }));
  const kept: string[] = [];
  let at = 0;
  const blank = (length: number) => {
    kept.push(' '.repeat(length));
    at += length;
  };
  while (at < text.length) {
    if (text[at] === '\\') blank(Math.min(2, text.length - at));
    else if (text[at] !== '`') kept.push(text[at++] ?? '');
    else {
      let length = 1;
      while (text[at + length] === '`') length += 1;
      const closing = runs.find((run) => run.at >= at + length && run.length === length);
      blank(closing === undefined ? length : closing.at + length - at);
    }
  }
  return kept.join('');
}
