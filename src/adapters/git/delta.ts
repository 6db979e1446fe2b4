// Git's delta encoding for bodies that share their beginning and their end, as growing trees and root files do.
// Refuses to be clever: no search, one pass, or no delta at all.

const INSERT_BYTES_MAX = 0x7f;
const COPY_BYTES_MAX = 0xffff;

/** The instructions that make `body` from `base`, or undefined where storing `body` whole is about as small. */
export function encodeDelta(base: Uint8Array, body: Uint8Array): Uint8Array | undefined {
  // Two sizes and nothing else: git takes a delta of fewer than four bytes for a broken one.
  if (body.length === 0) return undefined;
  const prefix = commonPrefix(base, body);
  const suffix = commonSuffix(base, body, prefix);
  if (body.length - prefix - suffix > body.length / 2) return undefined;
  const out: number[] = [];
  pushSize(out, base.length);
  pushSize(out, body.length);
  pushCopy(out, 0, prefix);
  pushInsert(out, body, prefix, body.length - suffix);
  pushCopy(out, base.length - suffix, suffix);
  return new Uint8Array(out);
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  // Views of one growing tree: the same memory is the same bytes.
  if (a.buffer === b.buffer && a.byteOffset === b.byteOffset) return shorter;
  let i = 0;
  while (i < shorter && a[i] === b[i]) i++;
  return i;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, taken: number): number {
  const shorter = Math.min(a.length, b.length) - taken;
  let i = 0;
  while (i < shorter && a[a.length - 1 - i] === b[b.length - 1 - i]) i++;
  return i;
}

function pushSize(out: number[], size: number): void {
  let rest = size;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest & 0x7f) | 0x80);
  out.push(rest);
}

function pushCopy(out: number[], from: number, length: number): void {
  for (let done = 0; done < length; done += COPY_BYTES_MAX) {
    pushCopyOnce(out, from + done, Math.min(length - done, COPY_BYTES_MAX));
  }
}

/** Flags say which bytes follow, four of the offset and two of the length: those that are not zero. */
function pushCopyOnce(out: number[], offset: number, length: number): void {
  const flagsAt = out.push(0x80) - 1;
  let flags = 0x80;
  for (let i = 0; i < 6; i++) {
    const byte = (i < 4 ? offset >>> (8 * i) : length >>> (8 * (i - 4))) & 0xff;
    if (byte === 0) continue;
    flags |= 1 << i;
    out.push(byte);
  }
  out[flagsAt] = flags;
}

function pushInsert(out: number[], body: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += INSERT_BYTES_MAX) {
    const end = Math.min(at + INSERT_BYTES_MAX, to);
    out.push(end - at);
    for (let i = at; i < end; i++) out.push(body[i]!);
  }
}
