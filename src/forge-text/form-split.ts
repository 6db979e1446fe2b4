// From the body of an issue to the raw text of each field, by the expected labels in their order and by nothing else.
// The forge checks nothing and anybody may write the body by hand, so whatever could be read in two ways is `form_forged`.
// Knows no meaning of any value.
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { FIELDS, NO_RESPONSE, type Field, type FieldId } from './form-fields.ts';

export type RawForm = ReadonlyMap<FieldId, string>;

/** Indented or not, in a block or not: what looks like a heading to some reader is a heading here. */
const HEADING = /^\s*###(?:\s|$)/u;
const FENCE_OPENING = /^(`{3,})text$/;

/** `null` where the issue has no schema field: it is no proposal. The text has `\n` alone as its line end. */
export function splitForm(text: string): Verdict<RawForm> | null {
  const lines = text.split('\n');
  if (!lines.includes(`### ${FIELDS[0]!.label}`)) return null;
  const raw = new Map<FieldId, string>();
  let at = lines.findIndex((line) => line.trim() !== '');
  for (const field of FIELDS) {
    const heading = lines[at];
    if (heading !== `### ${field.label}`) return forged(field.label, whyNot(heading, raw));
    const next = lines.findIndex((line, i) => i > at && HEADING.test(line));
    const end = next === -1 ? lines.length : next;
    const value = rawValue(field, trimBlank(lines.slice(at + 1, end)));
    if (value.is === 'refused') return value;
    raw.set(field.id, value.value);
    at = end;
  }
  return at < lines.length ? forged(FIELDS.at(-1)!.label, `after it ${whyNot(lines[at], raw)}`) : accept(raw);
}

function rawValue(field: Field, lines: readonly string[]): Verdict<string> {
  if (lines.length === 1 && lines[0] === NO_RESPONSE) return accept('');
  return field.is === 'text' ? unfence(field.label, lines) : accept(lines.join('\n'));
}

/**
 * The forge makes the fence longer than any run of backticks that begins a line, and overlooks an indented one: that
 * closes the block for a reader, and what follows looks like the form's own fields.
 */
function unfence(label: string, lines: readonly string[]): Verdict<string> {
  const fence = FENCE_OPENING.exec(lines[0] ?? '')?.[1];
  if (fence === undefined) return forged(label, 'is not the fenced block that the form makes');
  const closing = new RegExp(`^ {0,3}\`{${fence.length},}[ \\t]*$`);
  const end = lines.findIndex((line, i) => i > 0 && closing.test(line));
  if (end === -1) return forged(label, 'has a fenced block that never ends, or a heading inside it');
  if (lines[end] !== fence || end !== lines.length - 1)
    return forged(label, 'has a line that ends its fenced block early');
  return accept(trimBlank(lines.slice(1, end)).join('\n'));
}

function whyNot(heading: string | undefined, seen: RawForm): string {
  if (heading === undefined) return 'is missing';
  const known = FIELDS.find(({ label }) => heading === `### ${label}`);
  if (known === undefined)
    return HEADING.test(heading) ? 'stands a heading the form does not have' : 'stands other text';
  return seen.has(known.id) ? `the heading “${known.label}” stands again` : `stands “${known.label}”, out of order`;
}

function forged(label: string, because: string): Verdict<never> {
  return refuse('form_forged', {
    problems: [`${label}: ${because.startsWith('stands') ? `in its place ${because}` : because}`],
  });
}

function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
