// What the beginning of one line means in Markdown, seen alone. Knows no document.

const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const RULE = /^ {0,3}([-*_]) *(?:\1 *){2,}$/;
const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])( +|$)(.*)$/;
/** Raw HTML, and the mathematics that a Gitea renders. An address in angle brackets is neither. */
const UNCLEAR = /^ {0,3}(?:<(?!!--|[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]*>)[a-zA-Z/!?]|\$\$|\\\[)/;
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/;
const TABLE_RULE = /^(?=.*-)(?=.*[|:])[ |:-]+$/;
const DEFINITION = /^ {0,3}\[(\^?)[^\]]*\]:/;

export type Mark =
  | { readonly is: 'blank' | 'comment' | 'unclear' | 'heading' | 'rule' | 'quote' | 'code' | 'text' }
  | { readonly is: 'fence'; readonly fence: string }
  /** `weak`: cannot interrupt a paragraph. `width`: where the item's own text begins. */
  | { readonly is: 'item'; readonly width: number; readonly bare: boolean; readonly weak: boolean };

export function markOf(line: string): Mark {
  if (line === '') return { is: 'blank' };
  if (indentOf(line) >= 4) return { is: 'code' };
  const fence = FENCE.exec(line);
  if (fence !== null) return { is: 'fence', fence: fence[1] ?? fence[2] ?? '' };
  if (/^ *<!--/.test(line)) return { is: 'comment' };
  if (UNCLEAR.test(line)) return { is: 'unclear' };
  if (HEADING.test(line)) return { is: 'heading' };
  if (RULE.test(line)) return { is: 'rule' };
  if (/^ *>/.test(line)) return { is: 'quote' };
  return itemOf(line) ?? { is: 'text' };
}

function itemOf(line: string): Mark | undefined {
  const [, before = '', marker = '', number, gap = '', rest = ''] = ITEM.exec(line) ?? [];
  if (marker === '') return undefined;
  const bare = rest === '';
  const blanks = bare || gap.length > 4 ? 1 : gap.length;
  return {
    is: 'item',
    width: before.length + marker.length + blanks,
    bare,
    weak: bare || (number !== undefined && number !== '1'),
  };
}

/** Below a paragraph, it makes a heading of it. */
export function isUnderline(line: string): boolean {
  return UNDERLINE.test(line);
}

/** Below a paragraph, it makes a table of it. */
export function isTableRule(line: string): boolean {
  return TABLE_RULE.test(line);
}

export function definitionOf(line: string): 'link' | 'footnote' | undefined {
  const found = DEFINITION.exec(line);
  return found === null ? undefined : found[1] === '^' ? 'footnote' : 'link';
}

export function closesFence(line: string, fence: string): boolean {
  const closing = /^ {0,3}(`{3,}|~{3,})$/.exec(line)?.[1];
  return closing !== undefined && closing.startsWith(fence);
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent;
}

/** Tabs as blanks up to the next multiple of four, no blanks at the end. Other white space is text to Markdown. */
export function flatten(raw: string): string {
  let end = raw.length;
  while (raw[end - 1] === ' ' || raw[end - 1] === '\t') end -= 1;
  let line = '';
  for (const character of raw.slice(0, end)) line += character === '\t' ? ' '.repeat(4 - (line.length % 4)) : character;
  return line;
}
