// A person's or machine's public key as the roster holds it: one v4 ed25519 primary key, one user id, one self-certification.
// No subkeys, no expiry, no revocations: from when to when a key counts is the roster's business, not the key's.
import { concat, fromUtf8, utf8 } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import { armor } from './armor.ts';
import { fingerprintOfBody, keyBody, keyPrefix, readKeyBody } from './key-packet.ts';
import { packetHeader, readPacket, uint32 } from './packet.ts';
import { prepareSignaturePacket, type Signable } from './prepare.ts';
import { checkSignaturePacket, parseSignaturePacket } from './signature-packet.ts';
import { parseEncryptionKey, type EncryptionKey } from './encryption-key.ts';

export type PublicKey = {
  /** 40 upper-case hex digits. */
  readonly fingerprint: string;
  readonly ed25519: Uint8Array;
  readonly createdAtSeconds: number;
  readonly userId: string;
  /** The three packets, as parsed. */
  readonly bytes: Uint8Array;
};

const TAG_SIGNATURE = 2;
const TAG_PUBLIC_KEY = 6;
const TAG_USER_ID = 13;
const USER_ID_BYTES_MAX = 255;
/**
 * Control, direction and invisible characters: with them one name looks like another on a terminal. Spelled out, because
 * Unicode classes grow with the runtime's version and two verifiers must never disagree.
 */
const UNSEEN_CHARACTERS =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const CERTIFY_POSITIVE = 0x13;
const KEY_EXPIRES = 9;
const KEY_FLAGS = 27;
const MAY_SIGN = 0x02;
/** Key flags, preferences, primary user id, features: described by RFC 9580 and without effect on a signature's truth. */
const CERTIFICATION_CRITICAL_ALLOWED = [11, 21, 22, 25, KEY_FLAGS, 30, 34, 39];
const MAY_CERTIFY_AND_SIGN = Uint8Array.from([2, KEY_FLAGS, 0x03]);

/** The user id every lazarus key carries; the reserved domain keeps e-mail addresses out of permanent history. */
export function userIdOf(principalId: string, fingerprint: string): string {
  return `${principalId} <${fingerprint}@lazarus.invalid>`;
}

/** Parses exactly three packets and checks the self-certification; throws a Failure that names what is wrong. */
export function parsePublicKey(bytes: Uint8Array, crypto: Crypto): PublicKey {
  const key = readPacket(bytes, 0, 'key_malformed');
  if (key.tag !== TAG_PUBLIC_KEY) throw malformed('first packet is not a public key');
  const { ed25519, createdAtSeconds, length } = readKeyBody(key.body);
  if (length !== key.body.length) throw malformed('trailing bytes in the key');
  const user = readPacket(bytes, key.end, 'key_malformed');
  if (user.tag !== TAG_USER_ID) throw malformed('second packet is not a user id');
  const userId = readUserId(user.body);
  const certification = readPacket(bytes, user.end, 'key_malformed');
  if (certification.tag !== TAG_SIGNATURE) throw malformed('third packet is not a signature');
  if (certification.end !== bytes.length) throw malformed('more than three packets');

  const fingerprint = fingerprintOfBody(crypto, key.body);
  const data = certifiedData(key.body, user.body);
  checkCertification(crypto, bytes.subarray(user.end), { ed25519, fingerprint }, data);
  return { fingerprint, ed25519, createdAtSeconds, userId, bytes };
}

/** A public key in two steps: sign `toSign` (raw ed25519), then `finish`. The same input gives the same bytes for ever. */
export function certification(
  of: { readonly ed25519: Uint8Array; readonly createdAtSeconds: number; readonly userId: string },
  crypto: Crypto,
): Signable {
  const body = keyBody(of.ed25519, of.createdAtSeconds);
  const user = utf8(of.userId);
  readUserId(user);
  const fingerprint = fingerprintOfBody(crypto, body);
  const by = { fingerprint, atSeconds: of.createdAtSeconds, type: CERTIFY_POSITIVE, extra: MAY_CERTIFY_AND_SIGN };
  const { toSign, finish } = prepareSignaturePacket(crypto, by, certifiedData(body, user));
  const head = [packetHeader(TAG_PUBLIC_KEY, body.length), body, packetHeader(TAG_USER_ID, user.length), user];
  return { toSign, finish: (rs) => concat([...head, finish(rs)]) };
}

/** All keys in one armored block, as `gpg --import` takes it. */
export function armoredKeyring(keys: readonly Uint8Array[]): string {
  return armor('PUBLIC KEY BLOCK', concat(keys));
}

function readUserId(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes.length > USER_ID_BYTES_MAX) throw malformed('user id length');
  const text = strictText(bytes);
  if (UNSEEN_CHARACTERS.test(text)) throw malformed('user id characters');
  return text;
}

function strictText(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch (cause) {
    throw new Failure('key_malformed', { what: 'user id is not UTF-8' }, { cause });
  }
}

function certifiedData(body: Uint8Array, user: Uint8Array): Uint8Array[] {
  return [keyPrefix(body), body, Uint8Array.of(0xb4), uint32(user.length), user];
}

function checkCertification(
  crypto: Crypto,
  packet: Uint8Array,
  key: { readonly ed25519: Uint8Array; readonly fingerprint: string },
  data: readonly Uint8Array[],
): void {
  const certificate = parseSignaturePacket(packet, [...CERTIFICATION_CRITICAL_ALLOWED, KEY_EXPIRES]);
  if (certificate.type < 0x10 || certificate.type > CERTIFY_POSITIVE) throw malformed('certification type');
  for (const { type, body } of certificate.subpackets) {
    if (type === KEY_EXPIRES) throw new Failure('key_expires', { fingerprint: key.fingerprint });
    if (type === KEY_FLAGS && ((body[0] ?? 0) & MAY_SIGN) === 0) {
      throw new Failure('key_cannot_sign', { fingerprint: key.fingerprint });
    }
  }
  const because = checkSignaturePacket(crypto, certificate, key, data);
  if (because !== undefined) throw new Failure('key_certification_invalid', { fingerprint: key.fingerprint, because });
}

function malformed(what: string): Failure {
  return new Failure('key_malformed', { what });
}

// What a member hands to others: the signing key, and behind it, where there is one, the encryption key that it binds.
// Together they are an OpenPGP certificate that other programs import and encrypt to.
export type PublicKeys = { readonly key: PublicKey; readonly encryption?: EncryptionKey };

export function parsePublicKeys(bytes: Uint8Array, crypto: Crypto): PublicKeys {
  let end = 0;
  for (let packet = 0; packet < PACKETS_OF_A_KEY && end < bytes.length; packet++)
    end = readPacket(bytes, end, 'key_malformed').end;
  const key = parsePublicKey(bytes.subarray(0, end), crypto);
  const rest = bytes.subarray(end);
  return rest.length === 0 ? { key } : { key, encryption: parseEncryptionKey(rest, [key], crypto) };
}

const PACKETS_OF_A_KEY = 3;
