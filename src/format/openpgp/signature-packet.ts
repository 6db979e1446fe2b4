// One v4 ed25519 signature packet, for documents and for certifications of keys alike: strict parsing and the check.
// Stricter than gpg and git on purpose: what they wave through would give one signature many spellings. Header and unsigned
// area, which nobody signs, have one form; `inOneForm` writes it for packets that another program made.
import { concat, concatBriefly, equalBytes, fromHex, hex } from '../bytes.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { packetHeader, readMpi, readPacket, readSubpackets, readUint16, readUint32, uint32 } from './packet.ts';
import type { Subpacket } from './packet.ts';

export type SignaturePacket = {
  readonly type: number;
  readonly hash: HashName;
  readonly createdAtSeconds: number;
  /** The issuer's fingerprint, 40 upper-case hex digits, from the signed area. */
  readonly issuer: string;
  /** Every issuer key id the packet claims, 16 upper-case hex digits each. */
  readonly issuerKeyIds: readonly string[];
  /** The signed subpackets other than time and issuer. */
  readonly subpackets: readonly Subpacket[];
  /** The part of the packet that is hashed after the data, with its trailer. */
  readonly hashed: Uint8Array;
  readonly digestPrefix: Uint8Array;
  /** R and S, 32 bytes each. */
  readonly rs: Uint8Array;
};

const TAG_SIGNATURE = 2;
const EDDSA_LEGACY = 22;
const HASHES: Readonly<Record<number, HashName>> = { 8: 'sha256', 9: 'sha384', 10: 'sha512' };
const CREATED = 2;
const EXPIRES = 3;
const ISSUER_KEY_ID = 16;
const ISSUER_FINGERPRINT = 33;
/** A transaction must fit into a proof whatever its signer adds to its signature. */
const SIGNED_AREA_BYTES_MAX = 512;
const KEY_ID_BYTES = 8;
/** The group order L of ed25519, little-endian. */
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010') as Uint8Array;

/** Parses exactly one packet; `criticalAllowed` lists further subpacket types that may be marked critical. */
export function parseSignaturePacket(bytes: Uint8Array, criticalAllowed: readonly number[]): SignaturePacket {
  const { tag, body, end } = readPacket(bytes, 0, 'signature_malformed');
  if (tag !== TAG_SIGNATURE) throw malformed('packet tag');
  if (end !== bytes.length) throw new Failure('signature_trailing_bytes', { where: 'after the packet' });
  refuseOtherHeader(bytes, body.length);
  if (body[0] !== 4) throw new Failure('signature_version', { version: body[0] ?? null });
  if (body[2] !== EDDSA_LEGACY) throw new Failure('signature_algorithm', { algorithm: body[2] ?? null });
  const hash = HASHES[body[3] ?? 0];
  if (hash === undefined) throw new Failure('signature_hash_weak', { hash: body[3] ?? null });

  const { hashedEnd, unhashedEnd } = areasOf(body);
  if (hashedEnd - 6 > SIGNED_AREA_BYTES_MAX) throw malformed('signed area too long');
  const r = readMpi(body, unhashedEnd + 2, 'signature_malformed');
  const s = readMpi(body, r.end, 'signature_malformed');
  if (s.end !== body.length) throw new Failure('signature_trailing_bytes', { where: 'in the packet' });
  if (r.value.length > 32 || s.value.length > 32) throw malformed('integer too long');
  const rs = new Uint8Array(64);
  rs.set(r.value, 32 - r.value.length);
  rs.set(s.value, 64 - s.value.length);

  return {
    type: body[1] ?? 0,
    hash,
    ...readAreas(body.subarray(6, hashedEnd), body.subarray(hashedEnd + 2, unhashedEnd), criticalAllowed),
    hashed: withTrailer(body.subarray(0, hashedEnd)),
    digestPrefix: body.subarray(unhashedEnd, unhashedEnd + 2),
    rs,
  };
}

/** The same signature as ours are written, whatever header and unsigned area its maker gave it. */
export function inOneForm(bytes: Uint8Array): Uint8Array {
  const { tag, body, end } = readPacket(bytes, 0, 'signature_malformed');
  if (tag !== TAG_SIGNATURE) throw malformed('packet tag');
  if (end !== bytes.length) throw new Failure('signature_trailing_bytes', { where: 'after the packet' });
  const { hashedEnd, unhashedEnd } = areasOf(body);
  const named = readSubpackets(body.subarray(6, hashedEnd), 'signature_malformed');
  const issuer = named.find(({ type }) => type === ISSUER_FINGERPRINT);
  if (issuer === undefined) throw malformed('no issuer fingerprint');
  const keyId = fromHex(readIssuer(issuer.body))!.subarray(-KEY_ID_BYTES);
  const own = concat([body.subarray(0, hashedEnd), unsignedArea(keyId), body.subarray(unhashedEnd)]);
  return concat([packetHeader(TAG_SIGNATURE, own.length), own]);
}

/** The key id is unsigned and redundant, but gpg 2.2 and git find the key by it. */
export function unsignedArea(keyId: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(0, KEY_ID_BYTES + 2, KEY_ID_BYTES + 1, ISSUER_KEY_ID), keyId]);
}

function areasOf(body: Uint8Array): { readonly hashedEnd: number; readonly unhashedEnd: number } {
  const hashedEnd = 6 + readUint16(body, 4, 'signature_malformed');
  return { hashedEnd, unhashedEnd: hashedEnd + 2 + readUint16(body, hashedEnd, 'signature_malformed') };
}

function refuseOtherHeader(bytes: Uint8Array, length: number): void {
  const header = packetHeader(TAG_SIGNATURE, length);
  if (!equalBytes(bytes.subarray(0, header.length), header)) throw malformed('header of another form');
}

/** undefined when the packet is a good signature by this key over `data`, else the reason it is not. */
export function checkSignaturePacket(
  crypto: Crypto,
  packet: SignaturePacket,
  key: Signing,
  data: readonly Uint8Array[],
): ReasonCode | undefined {
  return checkSignedDigest(crypto, packet, key, signedDigest(crypto, packet, data));
}

/** The same for who has made the digest already. */
export function checkSignedDigest(
  crypto: Crypto,
  packet: SignaturePacket,
  key: Signing,
  digest: Uint8Array,
): ReasonCode | undefined {
  if (packet.issuer !== key.fingerprint) return 'signature_issuer_wrong';
  const keyId = key.fingerprint.slice(24);
  if (packet.issuerKeyIds.some((claimed) => claimed !== keyId)) return 'signature_issuer_wrong';
  // S and S + L verify alike without this: anyone could make a second valid signature out of a first.
  if (!isBelowOrder(packet.rs)) return 'signature_not_canonical';
  if (!crypto.verifyEd25519(key.ed25519, digest, packet.rs)) return 'signature_invalid';
  // Last, so that this code means one thing: a valid signature whose unsigned digest prefix was altered.
  if (packet.digestPrefix[0] !== digest[0] || packet.digestPrefix[1] !== digest[1]) return 'signature_prefix_wrong';
  return undefined;
}

type Signing = { readonly ed25519: Uint8Array; readonly fingerprint: string };

/** What raw ed25519 signs: a digest of the data and of what the packet says about itself. */
export function signedDigest(crypto: Crypto, packet: SignaturePacket, data: readonly Uint8Array[]): Uint8Array {
  return crypto.hash(packet.hash, concatBriefly('', [...data, packet.hashed]));
}

function readAreas(hashedArea: Uint8Array, unhashedArea: Uint8Array, criticalAllowed: readonly number[]) {
  let createdAtSeconds: number | undefined;
  let issuer: string | undefined;
  const issuerKeyIds: string[] = [];
  const subpackets: Subpacket[] = [];
  for (const subpacket of readSubpackets(hashedArea, 'signature_malformed')) {
    const { type, critical, body } = subpacket;
    if (type === CREATED) {
      if (createdAtSeconds !== undefined || body.length !== 4) throw malformed('creation time');
      createdAtSeconds = readUint32(body, 0, 'signature_malformed');
    } else if (type === ISSUER_FINGERPRINT) {
      if (issuer !== undefined) throw malformed('issuer fingerprint');
      issuer = readIssuer(body);
    } else if (type === ISSUER_KEY_ID) {
      issuerKeyIds.push(readKeyId(body));
    } else if (type === EXPIRES) {
      // Ledgers outlive clocks: a signature that a later reader calls expired is no evidence.
      throw new Failure('signature_expires');
    } else if (critical && !criticalAllowed.includes(type)) {
      throw new Failure('signature_critical_subpacket', { type });
    } else {
      subpackets.push(subpacket);
    }
  }
  if (createdAtSeconds === undefined) throw malformed('no creation time');
  if (issuer === undefined) throw malformed('no issuer fingerprint');
  if (issuerKeyIds.length > 1) throw malformed('issuer key id');
  // Anyone can add to the unsigned area or take from it, so exactly the redundant key id stands in it.
  const unsigned = readSubpackets(unhashedArea, 'signature_malformed');
  const [keyId] = unsigned;
  if (unsigned.length !== 1 || keyId?.type !== ISSUER_KEY_ID || keyId.critical)
    throw new Failure('signature_unsigned_data', { subpackets: unsigned.length });
  issuerKeyIds.push(readKeyId(keyId.body));
  return { createdAtSeconds, issuer, issuerKeyIds, subpackets };
}

function readIssuer(body: Uint8Array): string {
  if (body.length !== 21 || body[0] !== 4) throw malformed('issuer fingerprint');
  return hex(body.subarray(1)).toUpperCase();
}

function readKeyId(body: Uint8Array): string {
  if (body.length !== KEY_ID_BYTES) throw malformed('issuer key id');
  return hex(body).toUpperCase();
}

/** The signed part of a packet as it is hashed: with RFC 4880's v4 trailer. */
export function withTrailer(hashed: Uint8Array): Uint8Array {
  return concat([hashed, new Uint8Array([4, 0xff]), uint32(hashed.length)]);
}

function isBelowOrder(rs: Uint8Array): boolean {
  for (let i = 31; i >= 0; i--) {
    const difference = (rs[32 + i] ?? 0) - (ORDER[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function malformed(what: string): Failure {
  return new Failure('signature_malformed', { what });
}
