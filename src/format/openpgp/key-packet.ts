// The body of a v4 ed25519 key packet (algorithm 22): the part that public and secret key packets share, and its fingerprint.
// Knows one version, one algorithm, one curve; everything else is refused by name.
import { concat, equalBytes, fromHex } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import { readMpi, readUint32, uint32, writeMpi } from './packet.ts';

export type KeyBody = {
  readonly ed25519: Uint8Array;
  readonly createdAtSeconds: number;
  /** Where the public part ends; in a secret key packet the secret part follows. */
  readonly length: number;
};

const EDDSA_LEGACY = 22;
/** Length octet and object identifier 1.3.6.1.4.1.11591.15.1. */
const ED25519_OID = Uint8Array.from([9, 0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x0f, 0x01]);
const NATIVE_POINT = 0x40;

/** 40 upper-case hex digits. */
export function fingerprintOf(crypto: Crypto, ed25519: Uint8Array, createdAtSeconds: number): string {
  return fingerprintOfBody(crypto, keyBody(ed25519, createdAtSeconds));
}

export function keyBody(ed25519: Uint8Array, createdAtSeconds: number): Uint8Array {
  if (ed25519.length !== 32) throw malformed('point length');
  const point = concat([Uint8Array.of(NATIVE_POINT), ed25519]);
  const head = concat([Uint8Array.of(4), uint32(createdAtSeconds), Uint8Array.of(EDDSA_LEGACY), ED25519_OID]);
  return concat([head, writeMpi(point)]);
}

/** Reads the public part of a key packet's body. */
export function readKeyBody(body: Uint8Array): KeyBody {
  if (body[0] !== 4) throw new Failure('key_version_unsupported', { version: body[0] ?? null });
  if (body[5] !== EDDSA_LEGACY) throw new Failure('key_algorithm_unsupported', { algorithm: body[5] ?? null });
  if (!equalBytes(body.subarray(6, 16), ED25519_OID)) {
    throw new Failure('key_algorithm_unsupported', { algorithm: EDDSA_LEGACY, curve: 'not ed25519' });
  }
  const point = readMpi(body, 16, 'key_malformed');
  if (point.value.length !== 33 || point.value[0] !== NATIVE_POINT) throw malformed('point');
  const ed25519 = point.value.subarray(1);
  refuseWeakPoint(ed25519);
  return { ed25519, createdAtSeconds: readUint32(body, 1, 'key_malformed'), length: point.end };
}

/** What precedes a key's body wherever it is hashed. */
export function keyPrefix(body: Uint8Array): Uint8Array {
  return Uint8Array.of(0x99, body.length >> 8, body.length & 0xff);
}

export function fingerprintOfBody(crypto: Crypto, body: Uint8Array): string {
  return crypto.hashHex('sha1', concat([keyPrefix(body), body])).toUpperCase();
}

function malformed(what: string): Failure {
  return new Failure('key_malformed', { what });
}

// Public keys that must never count: points of small order, under which one signature fits nearly every message,
// and non-canonical spellings of a point. Knows the curve's constants and nothing else.

/** The y coordinates of all points of order 1, 2, 4 and 8, little-endian. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map((text) => fromHex(text) as Uint8Array);

function refuseWeakPoint(ed25519: Uint8Array): void {
  // Not slice(): on Node's Buffer that is a view, and clearing the sign bit would change the caller's key.
  const y = new Uint8Array(ed25519);
  y[31] = (y[31] ?? 0) & 0x7f;
  if (SMALL_ORDER.some((weak) => equalBytes(weak, y))) throw new Failure('key_weak', { what: 'point of small order' });
  if (isNotReduced(y)) throw new Failure('key_weak', { what: 'point not reduced' });
}

// y ≥ 2^255 − 19: only the low byte can differ from a run of ones.
function isNotReduced(y: Uint8Array): boolean {
  return (y[0] ?? 0) >= 0xed && y[31] === 0x7f && y.subarray(1, 31).every((byte) => byte === 0xff);
}
