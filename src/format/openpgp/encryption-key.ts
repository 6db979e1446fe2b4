// A member's encryption key as the roster holds it: one v4 cv25519 subkey, and the signature with which one of the member's
// own signing keys binds it. Without that signature a root could put its own key beside another's name. Encrypts nothing.
import { concat, equalBytes, fromHex } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import { fingerprintOfBody, keyPrefix } from './key-packet.ts';
import { packetHeader, readMpi, readPacket, uint32, writeMpi } from './packet.ts';
import { prepareSignaturePacket, type Signable } from './prepare.ts';
import type { PublicKey } from './public-key.ts';
import { checkSignaturePacket, inOneForm, parseSignaturePacket } from './signature-packet.ts';

export type EncryptionKey = {
  /** 40 upper-case hex digits. */
  readonly fingerprint: string;
  readonly x25519: Uint8Array;
  /** The signing key that binds it. */
  readonly by: string;
  /** The two packets, as parsed. */
  readonly bytes: Uint8Array;
};

type Binder = Pick<PublicKey, 'fingerprint' | 'ed25519' | 'bytes'>;

const TAG_SIGNATURE = 2;
const TAG_PUBLIC_SUBKEY = 14;
const ECDH = 18;
/** Length octet and object identifier 1.3.6.1.4.1.3029.1.5.1. */
const CV25519_OID = Uint8Array.from([10, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x97, 0x55, 0x01, 0x05, 0x01]);
const NATIVE_POINT = 0x40;
/** SHA-256 and AES-128: what gpg and OpenPGP.js write. */
const OWN_KDF = Uint8Array.from([3, 1, 8, 7]);
const BINDS_A_SUBKEY = 0x18;
const REVOKES_A_SUBKEY = 0x28;
const KEY_EXPIRES = 9;
const KEY_FLAGS = 27;
const MAY_ENCRYPT = 0x0c;
const CRITICAL_ALLOWED = [11, 21, 22, 25, KEY_FLAGS, 30, 34, 39, KEY_EXPIRES];
const FLAGS_FOR_ENCRYPTION = Uint8Array.from([2, KEY_FLAGS, MAY_ENCRYPT]);

/** Parses exactly two packets; throws a Failure that names what is wrong. `binders`: the member's signing keys. */
export function parseEncryptionKey(bytes: Uint8Array, binders: readonly Binder[], crypto: Crypto): EncryptionKey {
  const subkey = readPacket(bytes, 0, 'key_malformed');
  if (subkey.tag !== TAG_PUBLIC_SUBKEY) throw malformed('first packet is not a public subkey');
  refuseOtherHeader(bytes, subkey.body.length);
  const x25519 = readBody(subkey.body);
  const fingerprint = fingerprintOfBody(crypto, subkey.body);
  const packet = bytes.subarray(subkey.end);
  const binding = parseSignaturePacket(packet, CRITICAL_ALLOWED);
  if (binding.type !== BINDS_A_SUBKEY) throw malformed('second packet binds no subkey');
  for (const { type, body } of binding.subpackets) {
    if (type === KEY_EXPIRES) throw new Failure('key_expires', { fingerprint });
    if (type === KEY_FLAGS && ((body[0] ?? 0) & MAY_ENCRYPT) === 0)
      throw new Failure('key_cannot_encrypt', { fingerprint });
  }
  const by = binders.find((one) => one.fingerprint === binding.issuer);
  if (by === undefined) throw new Failure('encryption_key_unbound', { fingerprint, by: binding.issuer });
  const because = checkSignaturePacket(crypto, binding, by, boundData(bodyOf(by.bytes), subkey.body));
  if (because !== undefined) throw new Failure('encryption_key_unbound', { fingerprint, by: by.fingerprint, because });
  return { fingerprint, x25519, by: by.fingerprint, bytes };
}

/** The signing key that a well-formed encryption key says it is bound by. */
export function binderNamedIn(bytes: Uint8Array): string {
  const { end } = readPacket(bytes, 0, 'key_malformed');
  return parseSignaturePacket(bytes.subarray(end), CRITICAL_ALLOWED).issuer;
}

/** Both packets in two steps: sign `toSign` (raw ed25519) with the signing key, then `finish`. */
export function bindEncryptionKey(
  of: { readonly x25519: Uint8Array; readonly createdAtSeconds: number },
  by: Pick<PublicKey, 'fingerprint' | 'bytes'>,
  crypto: Crypto,
): Signable {
  const body = encryptionKeyBody(of.x25519, of.createdAtSeconds);
  const head = concat([packetHeader(TAG_PUBLIC_SUBKEY, body.length), body]);
  const signing = {
    fingerprint: by.fingerprint,
    atSeconds: of.createdAtSeconds,
    type: BINDS_A_SUBKEY,
    extra: FLAGS_FOR_ENCRYPTION,
  };
  const { toSign, finish } = prepareSignaturePacket(crypto, signing, boundData(bodyOf(by.bytes), body));
  return { toSign, finish: (rs) => concat([head, finish(rs)]) };
}

/** The public part of the subkey's packet: a secret subkey begins with the same bytes. */
export function encryptionKeyBody(x25519: Uint8Array, createdAtSeconds: number): Uint8Array {
  if (x25519.length !== 32) throw malformed('point length');
  const point = writeMpi(concat([Uint8Array.of(NATIVE_POINT), x25519]));
  const head = concat([Uint8Array.of(4), uint32(createdAtSeconds), Uint8Array.of(ECDH), CV25519_OID]);
  return concat([head, point, OWN_KDF]);
}

/** Of a key as another program exports it: the encryption keys in it that this format has room for, newest last. */
export function encryptionKeysIn(exported: Uint8Array, binder: Binder, crypto: Crypto): EncryptionKey[] {
  const found = new Map<string, EncryptionKey>();
  const revoked = new Set<string>();
  let subkey: Uint8Array | undefined;
  for (let at = 0; at < exported.length;) {
    const { tag, body, end } = readPacket(exported, at, 'key_malformed');
    if (tag === TAG_PUBLIC_SUBKEY) subkey = body;
    else if (tag !== TAG_SIGNATURE) subkey = undefined;
    else if (subkey !== undefined) {
      if (body[1] === REVOKES_A_SUBKEY) revoked.add(fingerprintOfBody(crypto, subkey));
      const packets = [packetHeader(TAG_PUBLIC_SUBKEY, subkey.length), subkey];
      const key = parsedOrNot(concat(packets), exported.subarray(at, end), binder, crypto);
      if (key !== undefined) found.set(key.fingerprint, key);
    }
    at = end;
  }
  return [...found.values()].filter(({ fingerprint }) => !revoked.has(fingerprint));
}

function parsedOrNot(subkey: Uint8Array, binding: Uint8Array, by: Binder, crypto: Crypto): EncryptionKey | undefined {
  try {
    return parseEncryptionKey(concat([subkey, inOneForm(binding)]), [by], crypto);
  } catch (cause) {
    // Other algorithms, keys that expire, bindings that were revoked: not what is looked for.
    if (cause instanceof Failure) return undefined;
    throw cause;
  }
}

function readBody(body: Uint8Array): Uint8Array {
  if (body[0] !== 4) throw new Failure('key_version_unsupported', { version: body[0] ?? null });
  if (body[5] !== ECDH) throw new Failure('key_algorithm_unsupported', { algorithm: body[5] ?? null });
  if (!equalBytes(body.subarray(6, 17), CV25519_OID))
    throw new Failure('key_algorithm_unsupported', { algorithm: ECDH, curve: 'not cv25519' });
  const point = readMpi(body, 17, 'key_malformed');
  if (point.value.length !== 33 || point.value[0] !== NATIVE_POINT) throw malformed('point');
  const [length, reserved, hash = 0, cipher = 0] = body.subarray(point.end);
  const isKnown = length === 3 && reserved === 1 && KDF_HASHES.has(hash) && KDF_CIPHERS.has(cipher);
  if (!isKnown || body.length !== point.end + 4) throw malformed('key derivation');
  const x25519 = point.value.subarray(1);
  refuseWeak(x25519);
  return x25519;
}

/** SHA-256, SHA-384, SHA-512; AES-128, AES-192, AES-256. */
const KDF_HASHES: ReadonlySet<number> = new Set([8, 9, 10]);
const KDF_CIPHERS: ReadonlySet<number> = new Set([7, 8, 9]);

/** The u coordinates of small order below 2²⁵⁵ − 19, little-endian: what is encrypted to one of them anybody can read. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map((text) => fromHex(text)!);

/** The highest bit is ignored by whoever computes with a point, and a coordinate from 2²⁵⁵ − 19 on is another one's. */
function refuseWeak(x25519: Uint8Array): void {
  const isReduced =
    x25519[31]! < 0x80 &&
    !(x25519[0]! >= 0xed && x25519[31] === 0x7f && x25519.subarray(1, 31).every((byte) => byte === 0xff));
  if (!isReduced) throw new Failure('key_weak', { what: 'point not reduced' });
  if (SMALL_ORDER.some((weak) => equalBytes(weak, x25519)))
    throw new Failure('key_weak', { what: 'point of small order' });
}

function boundData(primary: Uint8Array, subkey: Uint8Array): Uint8Array[] {
  return [keyPrefix(primary), primary, keyPrefix(subkey), subkey];
}

function bodyOf(publicKey: Uint8Array): Uint8Array {
  return readPacket(publicKey, 0, 'key_malformed').body;
}

function refuseOtherHeader(bytes: Uint8Array, length: number): void {
  const header = packetHeader(TAG_PUBLIC_SUBKEY, length);
  if (!equalBytes(bytes.subarray(0, header.length), header)) throw malformed('header of another form');
}

function malformed(what: string): Failure {
  return new Failure('key_malformed', { what });
}
