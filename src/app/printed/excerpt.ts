// The last lines of what a program in a cell printed, as far as everybody may see them. Known secrets were taken out when it
// was printed; what pages and terminals obey is taken out by whoever shows it.

export const EXCERPT_LINES_MAX = 20;
export const EXCERPT_LINE_CHARACTERS_MAX = 200;
const CHARACTERS_MAX = 2048;

/** Whole lines: half of one may say the opposite. */
export function excerptOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => beginning(line.trimEnd(), EXCERPT_LINE_CHARACTERS_MAX));
  while (lines.at(-1) === '') lines.pop();
  const last = lines.slice(-EXCERPT_LINES_MAX);
  while (last.join('\n').length > CHARACTERS_MAX) last.shift();
  return last;
}

/** Without the first half of a character: half of one has no bytes. */
export function beginning(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}
