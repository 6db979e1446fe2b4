// Reads a pack that a remote sent, in memory: every byte is a stranger's. What comes out is named by hashing it here, so
// that nothing can stand under a name that is not its own; sizes are bounded before memory is given to them.
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Failure } from '../../failure.ts';
import { equalBytes, hex } from '../../format/bytes.ts';
import { OID_BYTES, type GitObject, type ObjectType, type Oid } from '../../format/git/object.ts';
import { applyDelta, deltaSizes } from './apply-delta.ts';
import { protocolFailure } from './protocol-failure.ts';

export type PackLimits = {
  /** Of one object. */
  readonly objectBytesMax: number;
  /** Of all of them together, unpacked: a pack of a few kilobytes can unpack to as many gigabytes. */
  readonly bytesMax: number;
  /** Each costs more memory than the dozen bytes that a stranger may spend on it. */
  readonly objectsMax: number;
};

/** Throws `remote_protocol` for what is no whole pack, and `object_too_large` for what may be one. */
export function readPack(pack: Uint8Array, limits: PackLimits): readonly GitObject[] {
  return new PackReader(pack, limits).read();
}

type Kind = ObjectType | 'tag';
type Unpacked = { readonly type: Kind; readonly body: Uint8Array; readonly oid: Oid };
type Delta = { readonly base: number | Oid; readonly delta: Uint8Array; readonly offset: number };

const HEADER_BYTES = 12;
const VERSION = 2;
const KINDS: readonly (Kind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** Four bits and five times seven: more than any limit. */
const SIZE_BYTES_MAX = 6;
const DISTANCE_BYTES_MAX = 5;

class PackReader {
  readonly #pack: Buffer;
  readonly #end: number;
  readonly #limits: PackLimits;
  readonly #byOffset = new Map<number, Unpacked>();
  readonly #byOid = new Map<Oid, Unpacked>();
  /** Deltas whose base stands behind them, by that base: git never writes any, and anybody may write a million. */
  readonly #waiting = new Map<number | Oid, Delta[]>();
  #at = HEADER_BYTES;
  #bytes = 0;

  constructor(pack: Uint8Array, limits: PackLimits) {
    this.#pack = Buffer.from(pack.buffer, pack.byteOffset, pack.length);
    this.#end = pack.length - OID_BYTES;
    this.#limits = limits;
  }

  read(): readonly GitObject[] {
    const count = this.#count();
    const { objectsMax } = this.#limits;
    for (let i = 0; i < count; i++) {
      if (i === objectsMax) throw new Failure('object_too_large', { objects: count, objectsMax });
      this.#next();
    }
    if (this.#at !== this.#end) throw protocolFailure('a pack with more than its objects');
    if (this.#waiting.size > 0) throw protocolFailure('a delta without its base');
    // A tag is nothing that a ledger has: whoever asks for it finds it absent.
    return [...this.#byOid.values()].filter((one): one is Unpacked & GitObject => one.type !== 'tag');
  }

  #count(): number {
    const pack = this.#pack;
    if (this.#end < HEADER_BYTES || pack.toString('latin1', 0, 4) !== 'PACK') throw protocolFailure('no pack');
    if (pack.readUInt32BE(4) !== VERSION) throw protocolFailure('a pack of another version');
    const sum = createHash('sha1').update(pack.subarray(0, this.#end)).digest();
    if (!equalBytes(sum, pack.subarray(this.#end))) throw protocolFailure('a pack that is not whole');
    return pack.readUInt32BE(8);
  }

  #next(): void {
    const offset = this.#at;
    const { code, size } = this.#entryHeader();
    if (code === OFS_DELTA) {
      const base = offset - this.#distance();
      this.#takeDelta({ base, delta: this.#inflate(size), offset });
    } else if (code === REF_DELTA) {
      const base = hex(this.#pack.subarray(this.#at, this.#at + OID_BYTES));
      this.#at += OID_BYTES;
      this.#takeDelta({ base, delta: this.#inflate(size), offset });
    } else {
      const type = KINDS[code];
      if (type === undefined) throw protocolFailure('a pack with an entry of no known kind');
      this.#take(offset, type, this.#inflate(size));
    }
  }

  #takeDelta(one: Delta): void {
    const base = typeof one.base === 'number' ? this.#byOffset.get(one.base) : this.#byOid.get(one.base);
    if (base !== undefined) this.#resolve(one, base);
    else if (!this.#waiting.get(one.base)?.push(one)) this.#waiting.set(one.base, [one]);
  }

  #resolve({ delta, offset }: Delta, base: Unpacked): void {
    this.#allow(deltaSizes(delta).result);
    this.#take(offset, base.type, applyDelta(base.body, delta));
  }

  #take(offset: number, type: Kind, body: Uint8Array): void {
    const unpacked = [{ offset, one: this.#named(type, body) }];
    // A list and no recursion: a chain may be as long as somebody likes.
    for (let last = unpacked.pop(); last !== undefined; last = unpacked.pop()) {
      this.#byOffset.set(last.offset, last.one);
      this.#byOid.set(last.one.oid, last.one);
      for (const key of [last.offset, last.one.oid]) {
        const deltas = this.#waiting.get(key) ?? [];
        this.#waiting.delete(key);
        for (const { delta, offset } of deltas) {
          this.#allow(deltaSizes(delta).result);
          unpacked.push({ offset, one: this.#named(last.one.type, applyDelta(last.one.body, delta)) });
        }
      }
    }
  }

  #named(type: Kind, body: Uint8Array): Unpacked {
    const oid = createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex');
    return { type, body, oid };
  }

  #inflate(size: number): Uint8Array {
    this.#allow(size);
    const stored = this.#pack.subarray(this.#at, this.#end);
    try {
      const { buffer, engine } = inflateSync(stored, {
        info: true,
        // One byte more than it may have, so that one turn tells whether it keeps to its size.
        chunkSize: Math.max(size + 1, CHUNK_BYTES_MIN),
        maxOutputLength: size + 1,
      }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
      if (buffer.length !== size) throw protocolFailure('an object of another size than it says');
      this.#at += engine.bytesWritten;
      // A Buffer's `slice` copies nothing, and whoever gets this expects bytes like any other.
      return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw protocolFailure('an object that cannot be unpacked');
    }
  }

  #allow(bytes: number): void {
    const { objectBytesMax, bytesMax } = this.#limits;
    this.#bytes += bytes;
    if (bytes > objectBytesMax) throw new Failure('object_too_large', { bytes, bytesMax: objectBytesMax });
    if (this.#bytes > bytesMax) throw new Failure('object_too_large', { bytes: this.#bytes, bytesMax });
  }

  #entryHeader(): { readonly code: number; readonly size: number } {
    const first = this.#byte();
    let size = first & 0x0f;
    let scale = 16;
    for (let byte = first, n = 0; byte >= 0x80; n++) {
      if (n === SIZE_BYTES_MAX) throw protocolFailure('an object of impossible size');
      byte = this.#byte();
      size += (byte & 0x7f) * scale;
      scale *= 128;
    }
    return { code: (first >> 4) & 7, size };
  }

  #distance(): number {
    let byte = this.#byte();
    let distance = byte & 0x7f;
    for (let n = 1; byte >= 0x80; n++) {
      if (n === DISTANCE_BYTES_MAX) throw protocolFailure('a delta with a base out of reach');
      byte = this.#byte();
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    return distance;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw protocolFailure('a pack that ends inside an object');
    return this.#pack[this.#at++]!;
  }
}

/** zlib takes no smaller buffer. */
const CHUNK_BYTES_MIN = 64;
