// Takes known secrets out of what a cell says and what it is answered, in the spellings in which one gets about by accident,
// also where a write splits them. Whoever has a secret and wants to disguise it can; a cell is not given any.

const REDACTED = '***REDACTED***';

export type Redactor = {
  /** How often something was taken out. */
  readonly count: () => number;
  /** What can be passed on of everything pushed so far, as latin1. */
  readonly push: (latin1: string) => string;
  readonly end: () => string;
};

/** Works on bytes, one per character, so that a secret is found whatever encoding surrounds it. */
export function redactor(canaries: readonly string[]): Redactor {
  const spellings = allSpellings(canaries);
  const anywhere = new RegExp(spellings.map(escape).join('|'), 'g');
  let held = '';
  let count = 0;

  function pass(text: string, safeEnd: number): string {
    let out = '';
    let at = 0;
    anywhere.lastIndex = 0;
    for (let found = anywhere.exec(text); found !== null && found.index < safeEnd; found = anywhere.exec(text)) {
      out += text.slice(at, found.index) + REDACTED;
      at = found.index + found[0].length;
      count += 1;
    }
    out += text.slice(at, Math.max(at, safeEnd));
    held = text.slice(Math.max(at, safeEnd));
    return out;
  }

  return {
    count: () => count,
    push(latin1) {
      if (spellings.length === 0) return latin1;
      const text = held + latin1;
      return pass(text, text.length - begunLength(text, spellings));
    },
    end: () => (spellings.length === 0 ? '' : pass(held, held.length)),
  };
}

/** The same for a whole text. */
export function redactText(text: string, canaries: readonly string[]): string {
  const once = redactor(canaries);
  const bytes = once.push(Buffer.from(text, 'utf8').toString('latin1')) + once.end();
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Shorter ones stand in honest work by chance. */
const SEARCHED_CHARACTERS_MIN = 8;

/** Whether bytes hold a secret in one of these spellings; undefined where there is none to look for. */
export function secretSearch(canaries: readonly string[]): ((bytes: Uint8Array) => boolean) | undefined {
  const spellings = allSpellings(canaries.filter(({ length }) => length >= SEARCHED_CHARACTERS_MIN));
  if (spellings.length === 0) return undefined;
  const wanted = spellings.map((spelling) => Buffer.from(spelling, 'latin1'));
  return (bytes) => {
    const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return wanted.some((one) => held.includes(one));
  };
}

/** How many characters at the end could be the beginning of a secret: only these wait for what comes next. */
function begunLength(text: string, spellings: readonly string[]): number {
  let longest = 0;
  for (const spelling of spellings) {
    for (let length = Math.min(spelling.length - 1, text.length); length > longest; length--) {
      if (spelling.startsWith(text.slice(text.length - length))) longest = length;
    }
  }
  return longest;
}

/** Longest first: the expression takes the first that fits. */
function allSpellings(canaries: readonly string[]): readonly string[] {
  const all = canaries.filter((canary) => canary !== '').flatMap(spellingsOf);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function spellingsOf(canary: string): readonly string[] {
  const bytes = Buffer.from(canary, 'utf8');
  const hex = bytes.toString('hex');
  const encoded = encodeURIComponent(canary);
  const json = JSON.stringify(canary).slice(1, -1);
  return [
    bytes.toString('latin1'),
    hex,
    hex.toUpperCase(),
    json,
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
    ...[0, 1, 2].flatMap((before) => base64Within(bytes, before)),
  ].filter((spelling) => spelling !== '');
}

/** As part of a longer base64 text (`user:secret`): without the digits that also depend on what stands around it. */
function base64Within(bytes: Buffer, before: number): readonly string[] {
  const digits = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const inner = digits.slice(from, to);
  // Of a very short secret nothing characteristic is left.
  return inner.length < BASE64_DIGITS_MIN ? [] : [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}

const BASE64_DIGITS_MIN = 6;

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
