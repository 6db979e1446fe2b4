// What a provider's answer says was spent, read while it passes: in one JSON value, or in the events of a stream. Holds no
// body, only where in it the reader is: so text of the model that looks like a usage is a string, and counts nothing.

type Used = {
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Whether the answer said the last word on it. A stream that broke off may have said the first alone. */
  readonly isWhole: boolean;
};
export type UsageReader = { readonly push: (bytes: Uint8Array) => void; readonly used: () => Used };

/** `openai`: Responses and Chat Completions, and whoever speaks like them. `anthropic`: Messages. */
export function usageReader(of: 'openai' | 'anthropic'): UsageReader {
  const highest = new Map<string, number>();
  let isWhole = false;
  const scanner = numberScanner((path, value) => {
    const field = path.at(-1)!;
    const place = path.slice(0, -1).join('.');
    // The whole answer of who is only asked how long a question would be: nothing is spent by it.
    if (place === '' && field === 'input_tokens') isWhole = true;
    if (!PLACES[of].has(place)) return;
    // Counts rise within one answer, whatever repeats them.
    highest.set(field, Math.max(highest.get(field) ?? 0, value));
    if (OUT.includes(field) && LAST_WORD[of].has(place)) isWhole = true;
  });
  const sum = (fields: readonly string[]): number =>
    fields.reduce((total, field) => total + (highest.get(field) ?? 0), 0);
  let read: ((bytes: Uint8Array) => void) | undefined;
  return {
    push(bytes) {
      read ??= readerFor(bytes, scanner);
      read?.(bytes);
    },
    used: () => ({ tokensIn: sum(IN[of]), tokensOut: sum(OUT), isWhole }),
  };
}

const PLACES = { openai: new Set(['usage', 'response.usage']), anthropic: new Set(['usage', 'message.usage']) };
/** Anthropic's `message.usage` opens a stream and knows nothing yet of what comes out. */
const LAST_WORD = { openai: PLACES.openai, anthropic: new Set(['usage']) };
const IN = {
  openai: ['input_tokens', 'prompt_tokens'],
  // What was read from or written into a cache is not part of the first.
  anthropic: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
};
const OUT = ['output_tokens', 'completion_tokens'];

/** Undefined while nothing but blanks came. */
function readerFor(bytes: Uint8Array, scanner: Scanner): ((bytes: Uint8Array) => void) | undefined {
  const first = bytes.find((byte) => !isBlank(byte));
  if (first === undefined) return undefined;
  return first === OPEN_OBJECT ? scanner.push : eventReader(scanner);
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
/** `.`, `+`, `E`, `e`. */
const PART_OF_A_NUMBER: ReadonlySet<number> = new Set([46, 43, 69, 101]);
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const DATA = 'data:';

type Scanner = { readonly push: (bytes: Uint8Array) => void; readonly reset: () => void };

/** Server-sent events: the data of each is one JSON value. */
function eventReader(scanner: Scanner): (bytes: Uint8Array) => void {
  let field = '';
  let line: 'beginning' | 'data' | 'other' = 'beginning';
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      if (line === 'beginning') {
        const byte = bytes[at++]!;
        if (byte === CARRIAGE_RETURN) continue;
        if (byte !== LINE_FEED) {
          field += String.fromCharCode(byte);
          if (field === DATA) line = 'data';
          else if (!DATA.startsWith(field)) line = 'other';
          continue;
        }
        if (field === '') scanner.reset();
        field = '';
        continue;
      }
      const found = bytes.indexOf(LINE_FEED, at);
      const end = found < 0 ? bytes.length : found;
      if (line === 'data') scanner.push(bytes.subarray(at, end));
      at = end + 1;
      if (found < 0) continue;
      line = 'beginning';
      field = '';
    }
  };
}

/** Deeper than any answer nests; beyond it nothing is believed until the next value. */
const DEPTH_MAX = 256;
/** Where usage stands: object, response, usage. */
const PATH_DEPTH_MAX = 3;
const NAME_CHARACTERS_MAX = 64;
const NUMBER_CHARACTERS_MAX = 32;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Every whole number that is the field of an object near the top, with the names that lead to it. */
function numberScanner(found: (path: readonly string[], value: number) => void): Scanner {
  let depth = 0;
  let isObject: boolean[] = [];
  let names: (string | undefined)[] = [];
  let text = '';
  let number = '';
  let isName = false;
  let isNameNext = false;
  let state: 'between' | 'string' | 'escaped' | 'lost' = 'between';

  function reset(): void {
    depth = 0;
    isObject = [];
    names = [];
    number = '';
    isNameNext = false;
    state = 'between';
  }

  function endNumber(): void {
    if (number === '') return;
    const path = names.slice(1, depth + 1);
    if (depth <= PATH_DEPTH_MAX && WHOLE_NUMBER.test(number) && isNamed(path)) found(path, Number(number));
    number = '';
  }

  function open(isNext: boolean): void {
    depth += 1;
    isObject[depth] = isNext;
    names[depth] = undefined;
    isNameNext = isNext;
    if (depth > DEPTH_MAX) state = 'lost';
  }

  function string(byte: number): void {
    if (state === 'escaped') state = 'string';
    else if (byte === BACKSLASH) state = 'escaped';
    else if (byte === QUOTE) {
      state = 'between';
      if (isName) names[depth] = text;
      return;
    }
    if (isName && text.length < NAME_CHARACTERS_MAX) text += String.fromCharCode(byte);
  }

  function between(byte: number): void {
    if (isDigit(byte) || byte === MINUS || (number !== '' && PART_OF_A_NUMBER.has(byte))) {
      if (number.length < NUMBER_CHARACTERS_MAX) number += String.fromCharCode(byte);
      return;
    }
    endNumber();
    if (byte === QUOTE) {
      state = 'string';
      isName = isNameNext && depth <= PATH_DEPTH_MAX;
      text = '';
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(byte === OPEN_OBJECT);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) isNameNext = isObject[depth] === true;
    else if (byte === COLON) isNameNext = false;
  }

  return {
    reset,
    push(bytes) {
      for (const byte of bytes) {
        if (state === 'lost') return;
        if (state === 'between') between(byte);
        else string(byte);
      }
    },
  };
}

function isNamed(path: readonly (string | undefined)[]): path is readonly string[] {
  return path.length > 0 && path.every((name) => name !== undefined);
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
