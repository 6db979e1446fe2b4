// A YAML text that a person wrote, checked against a schema: a value, or the line and column of what is wrong with it.
// One reader for every such file. Takes plain data only: no anchors, no tags, no second document, nothing twice.
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  Lexer,
} from 'yaml';
import type { z } from 'zod';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import type { Facts, ReasonCode } from '../reasons.ts';
import { explain, type Problem } from './explain.ts';

const DOCUMENT_CHARACTERS_MAX = 64 * 1024;
const SHOWN_CHARACTERS_MAX = 160;
/** Besides the first problem, so many more are named. */
const OTHERS_MAX = 8;

/** Refused with `code`; facts say file, line, column, what is wrong, and show the line itself. */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  told: { readonly code: ReasonCode; readonly file: string },
): Verdict<z.output<Schema>> {
  if (text.length > DOCUMENT_CHARACTERS_MAX)
    return refuse(told.code, { file: told.file, why: `is longer than ${DOCUMENT_CHARACTERS_MAX} characters` });
  const tooDeep = depthFault(text);
  if (tooDeep !== undefined) return refuse(told.code, { file: told.file, ...tooDeep });
  const lines = new LineCounter();
  const written = text.normalize('NFC');
  const document = parseDocument(written, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    logLevel: 'error',
    version: '1.2',
  });
  const broken = [...syntaxProblems(document), ...foreignSigns(document)];
  if (broken.length > 0) return refuse(told.code, describe(broken, written, lines, told.file));
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (parsed.success) return accept(parsed.data);
  const problems = parsed.error.issues.flatMap((issue) => explain(issue, document, schema));
  return refuse(told.code, describe(problems, written, lines, told.file));
}

function syntaxProblems(document: Document.Parsed): Problem[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({ at: pos[0], path: '', why: message }));
}

// An alias repeated makes a small text huge, a tag makes a value something else than what it looks like.
function foreignSigns(document: Document.Parsed): Problem[] {
  const problems: Problem[] = [];
  const add = (at: number | undefined, why: string) => problems.push({ at: at ?? 0, path: '', why });
  visit(document, (_, node, parents) => {
    if (isPair(node) && !isScalar(node.key)) add(offsetOf(node.key), 'a key must be plain text');
    if (isPair(node) || !isNode(node)) return undefined;
    const at = node.range?.[0];
    if (isAlias(node)) add(at, 'aliases are not used here; write the value out');
    else if (node.anchor !== undefined) add(at, 'anchors are not used here');
    else if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) add(at, 'tags are not used here');
    if (isCollection(node) && parents.length > DEPTH_MAX) {
      add(at, `is nested deeper than ${DEPTH_MAX}`);
      return visit.BREAK;
    }
    return undefined;
  });
  if (!isMap(document.contents)) add(0, 'must be a list of keys and values');
  return problems;
}

function describe(problems: readonly Problem[], text: string, lines: LineCounter, file: string): Facts {
  const [first, ...others] = [...problems].sort(
    (a, b) => Number(a.isMissing ?? false) - Number(b.isMissing ?? false) || a.at - b.at,
  );
  if (first === undefined) return { file };
  const { line, col } = lines.linePos(first.at);
  const shown = visible((text.split('\n')[line - 1] ?? '').trim());
  return {
    file,
    line,
    column: col,
    ...(first.path === '' ? {} : { at: first.path }),
    why: visible(first.why),
    shown,
    ...(others.length === 0 ? {} : { others: others.slice(0, OTHERS_MAX).map((other) => brief(other, lines)) }),
  };
}

function brief({ at, path, why }: Problem, lines: LineCounter): string {
  const { line, col } = lines.linePos(at);
  return `${line}:${col} ${path === '' ? '' : `${path} `}${visible(why)}`;
}

/** Parsers quote what they read: cut, and without the characters that change how the rest is read. */
function visible(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS_MAX).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

// How deep a YAML text nests, before it is parsed: a text of brackets alone makes the parser recurse until the process
// dies. Reads signs only, no structure.
const DEPTH_MAX = 32;

/** The lexer's mark in front of a plain scalar, whose text may look like a sign. */
const SCALAR = '\u001f';

/** Where nesting becomes too deep, or undefined. Indentation is bounded by the length of the text already. */
function depthFault(text: string): { readonly line: number; readonly why: string } | undefined {
  let brackets = 0;
  let inLine = 0;
  let line = 1;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && (token === '[' || token === '{')) brackets++;
    if (!isScalar && (token === ']' || token === '}')) brackets--;
    // `- - - -` and `? ? ?` nest without brackets.
    if (!isScalar && (token === '-' || token === '?' || token === ':')) inLine++;
    if (brackets > DEPTH_MAX || inLine > DEPTH_MAX) return { line, why: `is nested deeper than ${DEPTH_MAX}` };
    if (!isScalar && token === ',') inLine = 0;
    const breaks = token.split('\n').length - 1;
    if (breaks > 0 && brackets === 0) inLine = 0;
    line += breaks;
    isScalar = token === SCALAR;
  }
  return undefined;
}
