// Git's packet lines: four hex digits of length, then bytes. Knows nothing of what is inside them.
import { concat, fromUtf8, utf8 } from '../../format/bytes.ts';
import { protocolFailure } from './protocol-failure.ts';

/** The longest packet git ever sends, its own four length digits included. */
const PKT_BYTES_MAX = 65_520;
const LENGTH_BYTES = 4;

export const FLUSH = utf8('0000');
/** Between the parts of a message of protocol 2. */
export const DELIMITER = utf8('0001');

export function pktLine(payload: Uint8Array): Uint8Array {
  const length = payload.length + LENGTH_BYTES;
  return concat([utf8(length.toString(16).padStart(LENGTH_BYTES, '0')), payload]);
}

/** The packets up to the first flush. Throws `remote_protocol` when the bytes end earlier or are anything else. */
export function packetsUntilFlush(bytes: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const length = lengthAt(bytes, at);
    if (length === 0) return packets;
    // 1 and 2 are delimiters of protocol 2 and 3 is nothing: none belongs into an answer to a push.
    if (length < LENGTH_BYTES || length > PKT_BYTES_MAX) throw protocolFailure('a packet of impossible length');
    if (at + length > bytes.length) throw protocolFailure('the answer ends inside a packet');
    packets.push(bytes.subarray(at + LENGTH_BYTES, at + length));
    at += length;
  }
}

export type Packet = Uint8Array | 'flush' | 'delimiter';

/** The packets of an answer of protocol 2, to its very last byte. Throws `remote_protocol` for anything else. */
export function* packetsOf(bytes: Uint8Array): Generator<Packet, void, undefined> {
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    if (length === 0 || length === 1) {
      yield length === 0 ? 'flush' : 'delimiter';
      at += LENGTH_BYTES;
      continue;
    }
    if (length < LENGTH_BYTES || length > PKT_BYTES_MAX) throw protocolFailure('a packet of impossible length');
    if (at + length > bytes.length) throw protocolFailure('the answer ends inside a packet');
    yield bytes.subarray(at + LENGTH_BYTES, at + length);
    at += length;
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  if (at + LENGTH_BYTES > bytes.length) throw protocolFailure('the answer ends without a flush packet');
  const digits = bytes.subarray(at, at + LENGTH_BYTES);
  for (const digit of digits) if (!isHexDigit(digit)) throw protocolFailure('a packet whose length is not hex');
  return Number.parseInt(fromUtf8(digits), 16);
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}
