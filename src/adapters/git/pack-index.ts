// The index of a pack, version 2: names in order, checksums, offsets. Written for our packs, read for anybody's.
import { createHash } from 'node:crypto';
import { OID_BYTES, writeOid } from '../../format/git/object.ts';
import type { Pack } from './pack.ts';

const MAGIC = Uint8Array.of(0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2);
const FANOUT_BYTES = 256 * 4;
const NAMES_AT = MAGIC.length + FANOUT_BYTES;

export function encodePackIndex(pack: Pack): Uint8Array {
  const entries = pack.entries.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = entries.length;
  const index = Buffer.alloc(NAMES_AT + count * (OID_BYTES + 4 + 4) + 2 * OID_BYTES);
  index.set(MAGIC);
  const checksumsAt = NAMES_AT + count * OID_BYTES;
  const offsetsAt = checksumsAt + count * 4;
  const perFirstByte = new Uint32Array(256);
  entries.forEach((entry, i) => {
    writeOid(entry.oid, index, NAMES_AT + i * OID_BYTES);
    index.writeUInt32BE(entry.crc, checksumsAt + i * 4);
    index.writeUInt32BE(entry.offset, offsetsAt + i * 4);
    perFirstByte[index[NAMES_AT + i * OID_BYTES]!]! += 1;
  });
  let below = 0;
  perFirstByte.forEach((found, byte) => index.writeUInt32BE((below += found), MAGIC.length + byte * 4));
  index.set(pack.checksum, offsetsAt + count * 4);
  index.set(createHash('sha1').update(index.subarray(0, -OID_BYTES)).digest(), index.length - OID_BYTES);
  return index;
}

/** The names in an index, as raw 20-byte strings that compare and hash quickly; undefined when it is not whole. */
export function indexedNames(index: Buffer): readonly string[] | undefined {
  if (index.length < NAMES_AT || !MAGIC.every((byte, i) => index[i] === byte)) return undefined;
  const count = index.readUInt32BE(NAMES_AT - 4);
  if (index.length < NAMES_AT + count * (OID_BYTES + 4 + 4) + 2 * OID_BYTES) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const at = NAMES_AT + i * OID_BYTES;
    return index.toString('latin1', at, at + OID_BYTES);
  });
}
