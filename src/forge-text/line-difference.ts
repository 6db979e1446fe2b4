// Two texts as a person compares them: the lines that one has and the other has not, with a little around them. Bounded, and
// for files of a few hundred lines.

const AROUND = 1;
const SHOWN_MAX = 60;
/** Beyond this, a table of all pairs of lines would take more memory than the answer is worth. */
const LINES_MAX = 1000;

/** `-` stands before what only `before` has, `+` before what only `after` has. */
export function lineDifference(before: string, after: string): readonly string[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  if (a.length > LINES_MAX || b.length > LINES_MAX) return ['(too many lines to compare)'];
  const all = compared(a, b);
  const isNear = (at: number): boolean =>
    all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' '));
  const shown = all.flatMap((line, at) => (isNear(at) ? [line] : at > 0 && isNear(at - 1) ? [GAP] : []));
  if (shown.at(-1) === GAP) shown.pop();
  const more = shown.length - SHOWN_MAX;
  return more > 0 ? [...shown.slice(0, SHOWN_MAX), `(and ${more} lines more)`] : shown;
}

const GAP = ' …';

function compared(a: readonly string[], b: readonly string[]): readonly string[] {
  // How many lines both have, from here to the end.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const told: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      told.push(` ${a[i++]!}`);
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) told.push(`-${a[i++]!}`);
    else told.push(`+${b[j++]!}`);
  }
  return told;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
