// Adds one entry to a YAML text that people wrote and comment, below a key at its top, and keeps every other byte. Printing
// the parsed text anew would lose their comments, quotes and blank lines. Knows nothing of what entries mean.
import { isCollection, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';

export type Entry = {
  /** The key at the top of the file. */
  readonly under: string;
  /** Without indentation: `name:` with what belongs to it, or `- …`; comments may stand in front. */
  readonly text: string;
};

const INDENTATION = 2;

/** Refused as `entry_not_inserted`; nothing is replaced, and what the text said before it says afterwards. */
export function insertEntry(text: string, { under, text: entry }: Entry, file: string): Verdict<string> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    logLevel: 'error',
  });
  const refused = (why: string, at = 0) =>
    refuse('entry_not_inserted', { file, line: lines.linePos(at).line, at: under, why });
  const [broken] = document.errors;
  if (broken !== undefined) return refused(broken.message, broken.pos[0]);
  const { contents } = document;
  if (contents !== null && (!isMap(contents) || contents.flow === true))
    return refused('is no list of keys with a line each');
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === under) as Pair<Node, Node> | undefined;
  const added: unknown = parseDocument(entry).toJS();
  const before = (document.toJS() ?? {}) as Mapping;
  const value = pair?.value ?? null;
  if (value !== null && !(isScalar(value) && value.value === null)) {
    if (Array.isArray(added) ? !isSeq(value) : !isMap(value)) return refused('holds something else', startOf(value));
    if (isCollection(value) && value.flow === true)
      return refused('is written in brackets: give every entry a line of its own first', startOf(value));
  }
  const taken = namesIn(added).find((name) => namesIn(before[under]).includes(name));
  if (taken !== undefined) return refused(`has an entry ${taken} already`, startOf(value));

  const after = pair === undefined ? atEnd(text, under, entry) : insertAfter(text, placeBelow(text, pair), entry);
  // Read back: a text that is stranger than expected is left alone rather than changed in its meaning.
  const readBack = parseDocument(after, { uniqueKeys: true, logLevel: 'error' });
  const expected = { ...before, [under]: together(before[under], added) };
  if (readBack.errors.length > 0 || JSON.stringify(readBack.toJS()) !== JSON.stringify(expected))
    return refused('cannot be added to without changing what the rest says', startOf(value));
  return accept(after);
}

type Mapping = Readonly<Record<string, unknown>>;
type Place = { readonly at: number; readonly indentation: number };

function namesIn(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function together(there: unknown, added: unknown): unknown {
  if (Array.isArray(added)) return [...((there ?? []) as readonly unknown[]), ...(added as readonly unknown[])];
  return { ...((there ?? {}) as Mapping), ...(added as Mapping) };
}

function atEnd(text: string, under: string, entry: string): string {
  const heading = text.trim() === '' ? `${under}:` : `\n${under}:`;
  return insertAfter(text, { at: text.length, indentation: 0 }, `${heading}\n${indented(entry, INDENTATION)}`);
}

/** Behind the last entry and the comments that are indented with it; where there is none, behind the key itself. */
function placeBelow(text: string, { key, value }: Pair<Node, Node>): Place {
  const first = isCollection(value) ? value.items[0] : undefined;
  const indentation = first === undefined ? INDENTATION : columnOf(text, first as Node | Pair<Node>, isSeq(value));
  let at = lineAfter(text, first === undefined ? key.range![1] : endOf(value!));
  const belongs = new RegExp(`[ ]{${Math.max(indentation, 1)},}#[^\\n]*(?:\\n|$)`, 'y');
  for (belongs.lastIndex = at; belongs.test(text);) at = belongs.lastIndex;
  return { at, indentation };
}

function insertAfter(text: string, { at, indentation }: Place, entry: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const written = `${indented(entry.trimEnd(), indentation)}\n`.replaceAll('\n', newline);
  const open = at > 0 && text[at - 1] !== '\n' ? newline : '';
  return `${text.slice(0, at)}${open}${written}${text.slice(at)}`;
}

function indented(text: string, spaces: number): string {
  return text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(spaces));
}

/** Of the dash in a list, whose item begins behind it. */
function columnOf(text: string, item: Node | Pair<Node>, inList: boolean): number {
  const start = startOf(isPair(item) ? item.key : item);
  const line = text.lastIndexOf('\n', start - 1) + 1;
  return inList ? text.slice(line, start).indexOf('-') : start - line;
}

/** Of all that it holds, without the comments that follow: whose those are, indentation says. */
function endOf(node: Node): number {
  if (!isCollection(node) || node.flow === true || node.items.length === 0) return node.range![1];
  const last = node.items.at(-1) as Node | Pair<Node, Node | null>;
  return isPair(last) ? endOf(last.value ?? last.key) : endOf(last);
}

function lineAfter(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
