// Git pack files, version 2, written in memory: for the local object store and, thin, for a push.
// Writes only; reading packs is git's business.
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { Failure } from '../../failure.ts';
import { OID_BYTES, writeOid, type GitObject, type Oid } from '../../format/git/object.ts';
import { encodeDelta } from './delta.ts';
import { GrowingBytes } from './growing.ts';

/** One stored object: where it lies and the checksum of its stored bytes, as the index wants to know. */
type PackEntry = { readonly oid: Oid; readonly offset: number; readonly crc: number; readonly depth: number };
export type Pack = {
  readonly bytes: Uint8Array;
  readonly checksum: Uint8Array;
  readonly entries: readonly PackEntry[];
};

const TYPE_CODE = { commit: 1, tree: 2, blob: 3 } as const;
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** Git's own default: a reader resolves a chain base by base. */
const DELTA_DEPTH_MAX = 50;
/** Offsets of 2 GiB need another table in the index, which appends never reach. */
const PACK_BYTES_MAX = 1 << 30;
const HEADER_BYTES = 12;
/** Below this, zlib gets a small output buffer: allocating its usual 16 KiB costs more than compressing. */
const SMALL_BODY_BYTES = 4096;
/**
 * Up to here a body is stored as it is. What is sent: the deltas of growing trees, tree heads and frontiers, mostly digits
 * of hashes, of which zlib would save less than what calling it costs, four times for every commit. What stays on this disk:
 * events and their commits as well. Most become a difference to their neighbours when git folds packs, so that in the end
 * they take 2 % more, and to compress them before was a tenth of a batched append.
 */
const STORED_BYTES_MAX = { sent: 400, kept: 2048 };
const SMALL_BODY_ZLIB = { level: 3, memLevel: 4, windowBits: 12, chunkSize: 2048 };
const LARGE_BODY_ZLIB = { level: 3 };

/**
 * Packs objects in the order given, duplicates once. A `base` that stands earlier in the pack shrinks an object to
 * the difference; a base elsewhere does so only in a thin pack, whose receiver is known to hold it.
 */
export function encodePack(objects: readonly GitObject[], options: { readonly thin: boolean }): Uint8Array {
  return layOutPack(objects, options).bytes;
}

/** The same, with what the index of the pack needs to know. */
export function layOutPack(objects: readonly GitObject[], options: { readonly thin: boolean }): Pack {
  const entries = new Map<Oid, PackEntry>();
  const unique = new Map(objects.map((object) => [object.oid, object]));
  const out = new GrowingBytes();
  out.append(packHeader(unique.size));
  for (const object of unique.values()) {
    const offset = out.length;
    const base = object.base === undefined ? undefined : entries.get(object.base.oid);
    const depth = storeObject(out, object, base, options.thin);
    entries.set(object.oid, { oid: object.oid, offset, crc: crc32(out.view(offset)), depth });
    if (out.length > PACK_BYTES_MAX) throw new Failure('object_too_large', { packBytesMax: PACK_BYTES_MAX });
  }
  const checksum = createHash('sha1').update(out.view()).digest();
  out.append(checksum);
  return { bytes: out.view(), checksum, entries: [...entries.values()] };
}

function packHeader(count: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** Returns how many bases a reader has to resolve for this object. */
function storeObject(out: GrowingBytes, object: GitObject, base: PackEntry | undefined, thin: boolean): number {
  const depth = base === undefined ? 1 : base.depth + 1;
  const isDelta = object.base !== undefined && (base !== undefined || thin) && depth <= DELTA_DEPTH_MAX;
  const delta = isDelta ? encodeDelta(object.base.body, object.body) : undefined;
  const storedMax = thin ? STORED_BYTES_MAX.sent : STORED_BYTES_MAX.kept;
  if (delta === undefined || object.base === undefined) {
    pushHeader(out, TYPE_CODE[object.type], object.body.length);
    pushBody(out, object.body, storedMax);
    return 0;
  }
  const offset = out.length;
  pushHeader(out, base === undefined ? REF_DELTA : OFS_DELTA, delta.length);
  if (base === undefined) out.append(oidBytes(object.base.oid));
  else pushDistance(out, offset - base.offset);
  pushBody(out, delta, storedMax);
  return depth;
}

/** Type and size: three bits and four in the first byte, seven in each that follows. */
function pushHeader(out: GrowingBytes, type: number, size: number): void {
  let byte = (type << 4) | (size & 0x0f);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    out.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  out.push(byte);
}

/** How far back the base lies: base 128, most significant first, each continuation counting from one. */
function pushDistance(out: GrowingBytes, distance: number): void {
  const bytes = [distance & 0x7f];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.push((rest & 0x7f) | 0x80);
  }
  for (let i = bytes.length - 1; i >= 0; i--) out.push(bytes[i]!);
}

function oidBytes(oid: Oid): Uint8Array {
  const bytes = new Uint8Array(OID_BYTES);
  writeOid(oid, bytes, 0);
  return bytes;
}

function pushBody(out: GrowingBytes, body: Uint8Array, storedMax: number): void {
  if (body.length <= storedMax) pushStored(out, body);
  else if (body.length <= SMALL_BODY_BYTES) out.append(deflateSync(body, SMALL_BODY_ZLIB));
  else out.append(deflateSync(body, LARGE_BODY_ZLIB));
}

/** A zlib stream of one uncompressed block. */
function pushStored(out: GrowingBytes, body: Uint8Array): void {
  const { length } = body;
  out.append(Uint8Array.of(0x78, 0x01, 1, length, length >>> 8, ~length, ~length >>> 8));
  out.append(body);
  let a = 1;
  let b = 0;
  for (let i = 0; i < length; i++) {
    a += body[i]!;
    b += a;
  }
  // Adler-32 with one reduction at the end: so few bytes cannot overflow the sums.
  a %= 65521;
  b %= 65521;
  out.append(Uint8Array.of(b >>> 8, b, a >>> 8, a));
}
