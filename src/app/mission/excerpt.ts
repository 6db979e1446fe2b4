// The last lines of what a program in a cell printed, as far as everybody may see them. Known secrets were taken out when it
// was printed; what pages and terminals obey is taken out by whoever shows it.
import { fromUtf8 } from '../../format/bytes.ts';

const LINES_MAX = 20;
const CHARACTERS_MAX = 2048;
const LINE_CHARACTERS_MAX = 200;

/** Whole lines: half of one may say the opposite. */
export function excerptOf(document: Uint8Array): readonly string[] {
  const lines = text(document)
    .split('\n')
    .map((line) => line.trimEnd().slice(0, LINE_CHARACTERS_MAX));
  while (lines.at(-1) === '') lines.pop();
  const last = lines.slice(-LINES_MAX);
  while (last.join('\n').length > CHARACTERS_MAX) last.shift();
  return last;
}

function text(document: Uint8Array): string {
  try {
    return fromUtf8(document);
  } catch {
    return '';
  }
}
