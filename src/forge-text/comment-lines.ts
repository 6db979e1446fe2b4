// Which lines of a comment are text of a top-level paragraph, and which are quoted, code, listed, a heading or hidden: a
// command that somebody quotes or explains must not be obeyed. It errs towards not obeying: where readers of Markdown
// could disagree, the rest of the comment is `unclear`. Knows no command.
import { definitionOf, flatten, isTableRule, isUnderline, markOf, type Mark } from './comment-marks.ts';
import { paragraphKinds } from './comment-paragraph.ts';
import { readBelow, TOP, type Within } from './comment-within.ts';

export type LineKind = 'text' | 'other' | 'unclear';

export function lineKinds(lines: readonly string[]): readonly LineKind[] {
  const kinds: LineKind[] = lines.map(() => 'other');
  let paragraph: number[] = [];
  const endParagraph = () => {
    paragraphKinds(paragraph.map((i) => lines[i] ?? '')).forEach((kind, n) => (kinds[paragraph[n]!] = kind));
    paragraph = [];
  };
  let within: Within = TOP;
  lines.forEach((raw, i) => {
    const line = flatten(raw);
    const mark = markOf(line);
    const { within: now, read } = readBelow(within, line, mark);
    within = now;
    if (within.is === 'unclear') kinds[i] = 'unclear';
    if (!read) return;
    if (paragraph.length > 0 && (isUnderline(line) || isTableRule(line))) {
      // What stood above is a heading, or the head of a table.
      const isTable = isTableRule(line) || (lines[i - 1] ?? '').includes('|');
      paragraph = [];
      if (isTable) within = { is: 'lazy', deep: true, afterBlank: false };
    } else if (paragraph.length > 0 && continues(mark)) {
      paragraph.push(i);
    } else if (mark.is === 'text' && definitionOf(line) === undefined) {
      paragraph = [i];
    } else {
      // HTML may belong to the paragraph above it, and take it along.
      if (mark.is === 'unclear') for (const above of paragraph.splice(0)) kinds[above] = 'unclear';
      endParagraph();
      within = entered(line, mark);
      if (within.is === 'unclear') kinds[i] = 'unclear';
    }
  });
  endParagraph();
  return kinds;
}

function continues(mark: Mark): boolean {
  return mark.is === 'text' || mark.is === 'code' || (mark.is === 'item' && mark.weak);
}

function entered(line: string, mark: Mark): Within {
  switch (mark.is) {
    case 'fence':
      return { is: 'fence', fence: mark.fence };
    case 'comment':
      return line.includes('-->') ? TOP : { is: 'comment' };
    case 'unclear':
      return { is: 'unclear' };
    case 'quote':
      return { is: 'quote' };
    case 'item':
      return { is: 'list', width: mark.width, bare: mark.bare, afterBlank: false };
    case 'text':
      return { is: 'lazy', deep: definitionOf(line) === 'footnote', afterBlank: false };
    case 'blank':
    case 'heading':
    case 'rule':
    case 'code':
      return TOP;
  }
}
