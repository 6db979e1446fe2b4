// Text of strangers, made safe to print. A commit message, file name or server answer may carry terminal escapes that
// recolour, retitle, overwrite lines already shown ("signature bad" into "good") or, in some terminals, type commands;
// bidirectional controls reorder what is read. All of them are shown as their code points.

const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of printable text: newlines too are escaped, so that a stranger cannot add lines of his own. */
export function printable(text: string): string {
  return text.replace(CONTROL, (found) => SHORT[found] ?? codePoint(found));
}

/** The same for a JSON text: what JSON.stringify leaves raw is escaped as JSON allows, so that it still parses to the same. */
export function printableJson(json: string): string {
  return json.replace(CONTROL, (found) =>
    Array.from({ length: found.length }, (_, i) => unit(found.charCodeAt(i))).join(''),
  );
}

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
