// Writing a v4 ed25519 signature packet in two steps, so that the private key may live in a file, an agent or a device.
// Knows the bytes before and after the raw signature, never the key that makes it.
import { concat, concatBriefly, fromHex } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import { packetHeader, uint32, writeMpi } from './packet.ts';
import { unsignedArea, withTrailer } from './signature-packet.ts';

export type Signable = {
  /** The digest that raw ed25519 signs. */
  readonly toSign: Uint8Array;
  /** Wraps R and S, 64 bytes, into the finished bytes. */
  readonly finish: (rs: Uint8Array) => Uint8Array;
};

const TAG_SIGNATURE = 2;
const EDDSA_LEGACY = 22;
const SHA512 = 10;
const CREATED = 2;
const ISSUER_FINGERPRINT = 33;
const SECONDS_MAX = 0xffffffff;

/** A SHA-512 signature packet in two steps: the digest to sign, then the packet around R and S. */
export function prepareSignaturePacket(
  crypto: Crypto,
  by: { readonly fingerprint: string; readonly atSeconds: number; readonly type: number; readonly extra?: Uint8Array },
  data: readonly Uint8Array[],
): Signable {
  const issuer = fromHex(by.fingerprint);
  if (issuer?.length !== 20) throw malformed('issuer fingerprint');
  if (!Number.isInteger(by.atSeconds) || by.atSeconds < 0 || by.atSeconds > SECONDS_MAX)
    throw malformed('creation time');
  const extra = by.extra ?? new Uint8Array(0);
  const hashed = new Uint8Array(35 + extra.length);
  hashed.set([4, by.type, EDDSA_LEGACY, SHA512, 0, 29 + extra.length, 22, ISSUER_FINGERPRINT, 4]);
  hashed.set(issuer, 9);
  hashed.set([5, CREATED], 29);
  hashed.set(uint32(by.atSeconds), 31);
  hashed.set(extra, 35);
  const toSign = crypto.hash('sha512', concatBriefly('', [...data, withTrailer(hashed)]));
  const unhashed = unsignedArea(issuer.slice(12));

  function finish(rs: Uint8Array): Uint8Array {
    if (rs.length !== 64) throw malformed('ed25519 signature length');
    const mpis = [writeMpi(rs.subarray(0, 32)), writeMpi(rs.subarray(32))];
    const body = concat([hashed, unhashed, toSign.slice(0, 2), ...mpis]);
    return concat([packetHeader(TAG_SIGNATURE, body.length), body]);
  }
  return { toSign, finish };
}

function malformed(what: string): Failure {
  return new Failure('signature_malformed', { what });
}
