// Public keys that must never count: points of small order, under which one signature fits nearly every message,
// and non-canonical spellings of a point. Knows the curve's constants and nothing else.
import { equalBytes, fromHex } from '../bytes.ts';
import { Failure } from '../../failure.ts';

/** The y coordinates of all points of order 1, 2, 4 and 8, little-endian. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map((text) => fromHex(text) as Uint8Array);

export function refuseWeakPoint(ed25519: Uint8Array): void {
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
