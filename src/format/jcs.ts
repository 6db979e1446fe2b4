// Canonical JSON (RFC 8785): one text per value, so that a signature over a text is a signature over the value.
// Knows JSON only: which fields an event has, and that ledgers use integers alone, is decided elsewhere.
import { Failure } from '../failure.ts';

/** Deeper nesting is refused: a hostile `[[[[…` must end in a refusal, not in an exhausted stack. */
export const JSON_DEPTH_MAX = 64;

// With the u flag a surrogate matches only when it has no partner.
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const PLAIN_STRING = /^[ !#-[\]-~]*$/;

/** The canonical text of a JSON value. Throws json_unrepresentable on anything that JSON cannot say exactly. */
export function jcs(value: unknown): string {
  return write(value, 0);
}

/** Parses a text that must already be canonical; this also refuses duplicate keys, which JSON.parse would hide. */
export function parseCanonical(text: string): unknown {
  const value = parse(text);
  if (!isCanonical(text, value)) throw new Failure('json_not_canonical');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's own message quotes the input, which may be a stranger's: it stays in the cause.
    throw new Failure('json_malformed', {}, { cause });
  }
}

/**
 * Same answer as `jcs(value) === text`, at native speed. JSON.stringify differs from RFC 8785 in the order of keys
 * and in escaping lone surrogates; where neither can matter its text is the canonical one.
 */
function isCanonical(text: string, value: unknown): boolean {
  if (isSorted(value, 0) && !text.includes('\\ud')) return JSON.stringify(value) === text;
  try {
    return jcs(value) === text;
  } catch {
    return false;
  }
}

/** Whether all keys stand in canonical order. False also where nesting is too deep, so that the slow path answers. */
function isSorted(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === JSON_DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isSorted(item, depth + 1)) return false;
    return true;
  }
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last || !isSorted((value as Record<string, unknown>)[key], depth + 1)) return false;
    last = key;
  }
  return true;
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeString(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return writeNested(value, depth);
  // JSON.stringify would turn Infinity into null, and drop undefined and functions without a word.
  if (typeof value !== 'number') throw unrepresentable(typeof value);
  if (!Number.isFinite(value)) throw unrepresentable(String(value));
  return JSON.stringify(value);
}

function writeString(text: string): string {
  if (PLAIN_STRING.test(text)) return `"${text}"`;
  if (LONE_SURROGATE.test(text)) throw unrepresentable('lone surrogate');
  return JSON.stringify(text);
}

function writeNested(value: object, depth: number): string {
  // Also what a circular value ends in.
  if (depth === JSON_DEPTH_MAX) throw unrepresentable(`nested deeper than ${JSON_DEPTH_MAX}`);
  if (Array.isArray(value)) return writeArray(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  // A Date, a Map or a byte array would be written as something else than what was meant.
  if (prototype !== Object.prototype && prototype !== null) throw unrepresentable('not a plain object');
  return writeObject(value as Record<string, unknown>, depth);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + write(items[i], depth + 1);
  return `${text}]`;
}

function writeObject(fields: Record<string, unknown>, depth: number): string {
  let text = '{';
  // The default order of sort() is by UTF-16 code unit, as RFC 8785 §3.2.3 asks.
  for (const key of Object.keys(fields).sort()) {
    text += `${text === '{' ? '' : ','}${writeString(key)}:${write(fields[key], depth + 1)}`;
  }
  return `${text}}`;
}

function unrepresentable(found: string): Failure {
  return new Failure('json_unrepresentable', { found });
}
