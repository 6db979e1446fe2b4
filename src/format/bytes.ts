// Bytes and their spellings: strict UTF-8, lower-case hex, padded base64. Knows nothing of what the bytes mean.

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF as a character, so that no byte sequence decodes to the same text as another.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const HEX_DIGITS = encoder.encode('0123456789abcdef');
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64_DIGITS = encoder.encode(BASE64);
const PADDING = 61;
/** What each ASCII character stands for; -1 where it is no digit. */
const HEX_VALUES = digitValues('0123456789abcdef', '0123456789ABCDEF');
const BASE64_VALUES = digitValues(BASE64);

const SHORT_TEXT_CHARACTERS = 256;
const SCRATCH_BYTES = 64 * 1024;
const scratch = new Uint8Array(SCRATCH_BYTES);

const ROOM_BYTES_MAX = 512;
const ROOMS_BYTES = 16 * 1024;
let rooms = new Uint8Array(0);
let roomUsed = 0;

export function utf8(text: string): Uint8Array {
  return shortAscii(text) ?? encoder.encode(text);
}

/** Decodes strictly: throws a TypeError on anything that is not well-formed UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function hex(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    digits[2 * i] = HEX_DIGITS[bytes[i]! >> 4]!;
    digits[2 * i + 1] = HEX_DIGITS[bytes[i]! & 15]!;
  }
  return decoder.decode(digits);
}

/** Decodes lower- or upper-case hex; undefined when the text is anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const value = (valueAt(HEX_VALUES, text, 2 * i) << 4) | valueAt(HEX_VALUES, text, 2 * i + 1);
    // One digit that is none makes the whole negative.
    if (value < 0) return undefined;
    bytes[i] = value;
  }
  return bytes;
}

export function base64(bytes: Uint8Array): string {
  // Digits first as bytes: seven times as fast as btoa, which wants a string of characters made for it.
  const digits = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  writeBase64(bytes, digits, 0);
  return decoder.decode(digits);
}

export function writeBase64(bytes: Uint8Array, into: Uint8Array, at: number): void {
  let end = at;
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    into[end++] = BASE64_DIGITS[bits >> 18]!;
    into[end++] = BASE64_DIGITS[(bits >> 12) & 63]!;
    into[end++] = BASE64_DIGITS[(bits >> 6) & 63]!;
    into[end++] = BASE64_DIGITS[bits & 63]!;
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  into.fill(PADDING, end - padding, end);
}

/** Decodes padded, canonical base64 only; undefined otherwise, so that one value has one spelling. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length - padding; i++) {
    const value = valueAt(BASE64_VALUES, text, i);
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  // Bits left over before the padding stand for nothing: were they free, one value would have sixteen spellings.
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Like concat, after some ASCII, but good only until the next call: for what is joined to be hashed at once and never
 * seen again (hashes read their input before they return). Verifying hashes a dozen such joints per commit; fresh
 * memory for each made it 6 % slower.
 */
export function concatBriefly(ascii: string, parts: readonly Uint8Array[]): Uint8Array {
  let length = ascii.length;
  for (const part of parts) length += part.length;
  if (length > SCRATCH_BYTES) return concat([utf8(ascii), ...parts]);
  writeAscii(ascii, scratch, 0);
  let at = ascii.length;
  for (const part of parts) {
    scratch.set(part, at);
    at += part.length;
  }
  return scratch.subarray(0, length);
}

/**
 * Zeros to write into. Of a few hundred bytes each has its own part of a larger piece of memory, which no two share: memory
 * of its own costs as much as all that is written there. Not for secrets: who sees one part can see its neighbours.
 */
export function roomFor(bytes: number): Uint8Array {
  if (bytes > ROOM_BYTES_MAX) return new Uint8Array(bytes);
  if (roomUsed + bytes > rooms.length) {
    rooms = new Uint8Array(ROOMS_BYTES);
    roomUsed = 0;
  }
  const room = new Uint8Array(rooms.buffer, roomUsed, bytes);
  roomUsed += bytes;
  return room;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** False where the text is not ASCII; what was written by then is of no use. */
export function writeAscii(text: string, into: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return false;
    into[at + i] = code;
  }
  return true;
}

/** Most texts here are short ASCII: several times as fast without a call out of the engine. */
function shortAscii(text: string): Uint8Array | undefined {
  if (text.length > SHORT_TEXT_CHARACTERS) return undefined;
  const bytes = new Uint8Array(text.length);
  return writeAscii(text, bytes, 0) ? bytes : undefined;
}

function digitValues(...alphabets: readonly string[]): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (const digits of alphabets) for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i;
  return values;
}

function valueAt(values: Int8Array, text: string, at: number): number {
  return values[text.charCodeAt(at)] ?? -1;
}
