// What is wrong with a value, in a person's words and at its place in the text: a schema's issues against YAML nodes.
// Knows no file in particular.
import { isMap, isScalar, isSeq, type Document, type Pair } from 'yaml';
import type { z } from 'zod';
import { knownKeys, nearest } from './nearest.ts';

/** `at` is an offset into the text, `path` the keys that lead there. */
export type Problem = {
  readonly at: number;
  readonly path: string;
  readonly why: string;
  /** Of what is not there. Told last: the wrong key that stands in its place says more. */
  readonly isMissing?: true;
};
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export function explain(issue: Issue, document: Document.Parsed, schema: z.ZodType): Problem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => ({
      at: locate(document, [...issue.path, key]).keyAt,
      path,
      why: unknownKey(key, known),
    }));
  }
  const { at, there } = locate(document, issue.path);
  if (!there) return [{ at, path, why: 'is missing', isMissing: true }];
  if (issue.code !== 'invalid_union') return [{ at, path, why: plain(issue.message) }];
  return nearestForm(issue).flatMap((inner) =>
    explain({ ...inner, path: [...issue.path, ...inner.path] }, document, schema),
  );
}

/** The library's own words without their preamble: where and in which file is said already. */
function plain(message: string): string {
  return message.replaceAll(/Invalid (?:input|option|string): /g, '');
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return `unknown key ${key.slice(0, 40)}; ${meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`}`;
}

/** Of the forms a value may have, the one it comes nearest to: its type fits, and its complaint lies deepest. */
function nearestForm({ errors, message }: Extract<Issue, { code: 'invalid_union' }>): Issue[] {
  const depth = (issues: readonly Issue[]) => Math.max(...issues.map(({ path }) => path.length));
  const fits = (issues: readonly Issue[]) =>
    !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  const form = errors.filter(fits).sort((a, b) => depth(b) - depth(a))[0];
  if (form !== undefined) return form;
  const forms = new Set(errors.map((issues) => issues[0]?.message ?? message));
  return [
    { code: 'custom', path: [], message: forms.size === 0 ? message : [...forms].join(', or: '), input: undefined },
  ];
}

/** Where a path leads; where it leads nowhere, the innermost place that exists. */
function locate(
  document: Document.Parsed,
  path: Path,
): { readonly at: number; readonly keyAt: number; readonly there: boolean } {
  let node: unknown = document.contents;
  let at = document.contents?.range[0] ?? 0;
  for (const step of path) {
    const pair = isMap(node) ? pairOf(node.items, step) : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    if (pair === undefined && next === undefined) return { at, keyAt: at, there: false };
    at = offsetOf(isSeq(node) ? next : pair?.key) ?? at;
    node = next;
  }
  // A value says more than its key about what is wrong with it.
  return { at: isScalar(node) ? (offsetOf(node) ?? at) : at, keyAt: at, there: true };
}

function pairOf(pairs: readonly Pair[], key: PropertyKey): Pair | undefined {
  return pairs.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

function offsetOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
}
