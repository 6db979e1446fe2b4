// Hashes and Ed25519 verification without a platform, for the script that verifies alone. Gives the same answers as
// node:crypto, down to signatures that mathematicians could argue about.
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { concat, equalBytes, hex } from '../format/bytes.ts';
import type { Crypto, HashName } from '../format/crypto.ts';

const HASHES = { sha1, sha256, sha384, sha512 } as const satisfies Record<HashName, unknown>;
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const POINT_BYTES = 32;

export const nobleCrypto: Crypto = {
  hash: (name, bytes) => HASHES[name](bytes),
  hashHex: (name, bytes) => hex(HASHES[name](bytes)),
  verifyEd25519,
};

/**
 * [S]B − [k]A must be R, byte for byte, as in RFC 8032's reference code and OpenSSL. The library's own verify multiplies
 * by the cofactor first: a signer could add a small-order point and be valid here and invalid there.
 */
function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== POINT_BYTES || signature.length !== 2 * POINT_BYTES) return false;
  const r = signature.subarray(0, POINT_BYTES);
  const s = littleEndian(signature.subarray(POINT_BYTES));
  if (s >= ORDER) return false;
  const k = littleEndian(sha512(concat([r, publicKey, message]))) % ORDER;
  try {
    const a = Point.fromBytes(publicKey, false);
    const expected = Point.BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k));
    return equalBytes(expected.toBytes(), r);
  } catch {
    return false;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}
