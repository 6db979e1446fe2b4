// Hand-made OpenPGP packets, right or wrong on purpose: the attacker's tool box of these tests.
import { concat } from '../../../src/format/bytes.ts';
import { packetHeader, uint32, writeMpi } from '../../../src/format/openpgp/packet.ts';
import { withTrailer } from '../../../src/format/openpgp/signature-packet.ts';
import { AT_SECONDS, crypto } from './signing.ts';
import type { TestKey } from './signing.ts';

export type Shape = {
  readonly version?: number;
  readonly type?: number;
  readonly algorithm?: number;
  readonly hash?: number;
  readonly hashed?: readonly Uint8Array[];
  readonly unhashed?: readonly Uint8Array[];
  readonly inside?: Uint8Array;
  readonly mpis?: (rs: Uint8Array) => Uint8Array;
  readonly prefix?: (digest: Uint8Array) => Uint8Array;
};

export function subpacket(type: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = concat(parts);
  return concat([Uint8Array.of(body.length + 1, type), body]);
}

export function created(atSeconds = AT_SECONDS): Uint8Array {
  return subpacket(2, uint32(atSeconds));
}

export function issuer(key: TestKey): Uint8Array {
  return subpacket(33, Uint8Array.of(4), Buffer.from(key.fingerprint, 'hex'));
}

export function issuerKeyId(key: TestKey): Uint8Array {
  return subpacket(16, Buffer.from(key.fingerprint.slice(24), 'hex'));
}

/** A packet over `data` that is truly signed by `key`, in whatever shape is asked for. */
export function signaturePacket(key: TestKey, data: readonly Uint8Array[], shape: Shape = {}): Uint8Array {
  const hashedArea = concat(shape.hashed ?? [issuer(key), created()]);
  const unhashedArea = concat(shape.unhashed ?? [issuerKeyId(key)]);
  const head = Uint8Array.of(shape.version ?? 4, shape.type ?? 0, shape.algorithm ?? 22, shape.hash ?? 10);
  const hashed = concat([head, uint16(hashedArea.length), hashedArea]);
  const digest = crypto.hash(shape.hash === 8 ? 'sha256' : 'sha512', concat([...data, withTrailer(hashed)]));
  const rs = key.raw(digest);
  const mpis = shape.mpis?.(rs) ?? concat([writeMpi(rs.subarray(0, 32)), writeMpi(rs.subarray(32))]);
  const tail = [uint16(unhashedArea.length), unhashedArea, shape.prefix?.(digest) ?? digest.subarray(0, 2), mpis];
  const body = concat([hashed, ...tail, shape.inside ?? new Uint8Array(0)]);
  return concat([packetHeader(2, body.length), body]);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}
