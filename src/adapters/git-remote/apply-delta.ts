// Makes an object from another one and the instructions of a delta, as a stranger sent them: every length is checked
// against what is there before a byte is copied.
import { protocolFailure } from './protocol-failure.ts';

/** How large the result says it is: asked for before memory is given to it. */
export function deltaSizes(delta: Uint8Array): { readonly base: number; readonly result: number; readonly at: number } {
  const base = sizeAt(delta, 0);
  const result = sizeAt(delta, base.at);
  return { base: base.value, result: result.value, at: result.at };
}

export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const sizes = deltaSizes(delta);
  if (sizes.base !== base.length) throw protocolFailure('a delta of another base');
  const out = new Uint8Array(sizes.result);
  let written = 0;
  let at = sizes.at;
  while (at < delta.length) {
    const instruction = delta[at]!;
    at += 1;
    if ((instruction & COPY) === 0) {
      // Zero is reserved: what it means would be for the next version to say.
      const end = at + instruction;
      if (instruction === 0 || end > delta.length || written + instruction > out.length) throw broken();
      out.set(delta.subarray(at, end), written);
      written += instruction;
      at = end;
      continue;
    }
    const [from, afterOffset] = numberAt(delta, at, instruction, OFFSET_BITS);
    const [length, afterLength] = numberAt(delta, afterOffset, instruction >> OFFSET_BITS, LENGTH_BITS);
    at = afterLength;
    const count = length === 0 ? COPY_BYTES_OF_ZERO : length;
    if (from + count > base.length || written + count > out.length) throw broken();
    out.set(base.subarray(from, from + count), written);
    written += count;
  }
  if (written !== out.length) throw broken();
  return out;
}

const COPY = 0x80;
const OFFSET_BITS = 4;
const LENGTH_BITS = 3;
const COPY_BYTES_OF_ZERO = 0x10000;
/** Five times seven bits: more than any object may have. */
const SIZE_BYTES_MAX = 5;

function sizeAt(delta: Uint8Array, from: number): { readonly value: number; readonly at: number } {
  let value = 0;
  for (let i = 0; i < SIZE_BYTES_MAX; i++) {
    const byte = delta[from + i];
    if (byte === undefined) throw broken();
    value += (byte & 0x7f) * 128 ** i;
    if (byte < 0x80) return { value, at: from + i + 1 };
  }
  throw broken();
}

/** Flags say which bytes of a number follow, the lowest first. */
function numberAt(delta: Uint8Array, from: number, flags: number, bits: number): [value: number, at: number] {
  let value = 0;
  let at = from;
  for (let i = 0; i < bits; i++) {
    if ((flags & (1 << i)) === 0) continue;
    const byte = delta[at];
    if (byte === undefined) throw broken();
    value += byte * 256 ** i;
    at += 1;
  }
  return [value, at];
}

function broken(): Error {
  return protocolFailure('a broken delta');
}
