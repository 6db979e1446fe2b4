// The small parts every OpenPGP v4 packet is made of: headers, lengths, big integers, subpackets.
// Reads strictly and says where bytes break off; knows nothing of keys, signatures or their rules.
import { Failure } from '../../failure.ts';

export type Packet = { readonly tag: number; readonly body: Uint8Array; readonly end: number };
export type Subpacket = { readonly type: number; readonly critical: boolean; readonly body: Uint8Array };
type Span = { readonly length: number; readonly start: number };
/** The reason code a reader gives when bytes break off or contradict themselves. */
export type Malformed = 'signature_malformed' | 'key_malformed';

/** The packet at `at`, with an old-format header (gpg) or a new-format one (OpenPGP.js) of definite length. */
export function readPacket(bytes: Uint8Array, at: number, code: Malformed): Packet {
  const first = byteAt(bytes, at, code);
  if ((first & 0x80) === 0) throw new Failure(code, { what: 'packet header' });
  const isNew = (first & 0x40) !== 0;
  const tag = isNew ? first & 0x3f : (first >> 2) & 0x0f;
  const { length, start } = isNew ? newLength(bytes, at + 1, code) : oldLength(bytes, at + 1, first & 3, code);
  if (start + length > bytes.length) throw new Failure(code, { what: 'packet length' });
  return { tag, body: bytes.subarray(start, start + length), end: start + length };
}

export function readSubpackets(area: Uint8Array, code: Malformed): Subpacket[] {
  const found: Subpacket[] = [];
  for (let at = 0; at < area.length;) {
    const { length, start } = subpacketLength(area, at, code);
    if (length === 0 || start + length > area.length) throw new Failure(code, { what: 'subpacket length' });
    const type = byteAt(area, start, code);
    found.push({ type: type & 0x7f, critical: (type & 0x80) !== 0, body: area.subarray(start + 1, start + length) });
    at = start + length;
  }
  return found;
}

/** A big-endian integer whose bit count is exact: a padded one would be a second spelling. */
export function readMpi(bytes: Uint8Array, at: number, code: Malformed): { value: Uint8Array; end: number } {
  const bits = readUint16(bytes, at, code);
  const end = at + 2 + Math.ceil(bits / 8);
  if (end > bytes.length) throw new Failure(code, { what: 'integer length' });
  const value = bytes.subarray(at + 2, end);
  if (bits > 0 && bitLength(value) !== bits) throw new Failure(code, { what: 'integer bit count' });
  return { value, end };
}

export function writeMpi(value: Uint8Array): Uint8Array {
  let skip = 0;
  while (skip < value.length && value[skip] === 0) skip++;
  const digits = value.subarray(skip);
  const bits = bitLength(digits);
  const mpi = new Uint8Array(2 + digits.length);
  mpi[0] = bits >> 8;
  mpi[1] = bits & 0xff;
  mpi.set(digits, 2);
  return mpi;
}

/** Old-format header with a one- or two-byte length, as gpg writes for packets of this size. */
export function packetHeader(tag: number, length: number): Uint8Array {
  const first = 0x80 | (tag << 2);
  return length < 256 ? new Uint8Array([first, length]) : new Uint8Array([first | 1, length >> 8, length & 0xff]);
}

export function readUint16(bytes: Uint8Array, at: number, code: Malformed): number {
  return byteAt(bytes, at, code) * 0x100 + byteAt(bytes, at + 1, code);
}

export function readUint32(bytes: Uint8Array, at: number, code: Malformed): number {
  return readUint16(bytes, at, code) * 0x10000 + readUint16(bytes, at + 2, code);
}

export function uint32(value: number): Uint8Array {
  return new Uint8Array([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]);
}

function oldLength(bytes: Uint8Array, at: number, kind: number, code: Malformed): Span {
  if (kind === 0) return { length: byteAt(bytes, at, code), start: at + 1 };
  if (kind === 1) return shortest(readUint16(bytes, at, code), at + 2, 0x100, code);
  if (kind === 2) return shortest(readUint32(bytes, at, code), at + 4, 0x10000, code);
  throw new Failure(code, { what: 'indeterminate packet length' });
}

function newLength(bytes: Uint8Array, at: number, code: Malformed): Span {
  const first = byteAt(bytes, at, code);
  if (first >= 224 && first < 255) throw new Failure(code, { what: 'partial packet length' });
  return subpacketLength(bytes, at, code);
}

function subpacketLength(bytes: Uint8Array, at: number, code: Malformed): Span {
  const first = byteAt(bytes, at, code);
  if (first < 192) return { length: first, start: at + 1 };
  if (first < 255) return { length: (first - 192) * 256 + byteAt(bytes, at + 1, code) + 192, start: at + 2 };
  return shortest(readUint32(bytes, at + 1, code), at + 5, 0x20c0, code);
}

// Headers are not signed: a longer form of a length that fits a shorter one would be a second spelling.
function shortest(length: number, start: number, lengthMin: number, code: Malformed): Span {
  if (length < lengthMin) throw new Failure(code, { what: 'length not in its shortest form' });
  return { length, start };
}

function byteAt(bytes: Uint8Array, at: number, code: Malformed): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Failure(code, { what: 'truncated' });
  return byte;
}

function bitLength(digits: Uint8Array): number {
  const first = digits[0];
  return first === undefined ? 0 : digits.length * 8 - (Math.clz32(first) - 24);
}
