// The secret key packet of a v4 ed25519 key: writing it bare, and opening it bare or under a passphrase, with node:crypto alone.
// Reads the one protection that lazarus writes; a foreign file goes through import instead.
import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { concat, equalBytes } from '../../format/bytes.ts';
import { keyBody, readKeyBody } from '../../format/openpgp/key-packet.ts';
import { packetHeader, readMpi, readPacket, readUint16, writeMpi } from '../../format/openpgp/packet.ts';
import { Failure } from '../../failure.ts';

export type Secret = {
  readonly privateKey: KeyObject;
  readonly ed25519: Uint8Array;
  readonly createdAtSeconds: number;
};

const TAG_SECRET_KEY = 5;
const BARE = 0;
const SHA1_CHECKED = 254;
const AES256 = 9;
const ITERATED = 3;
const SHA256 = 8;
/** Usage, cipher, S2K type, hash, salt, count, initialisation vector. */
const PROTECTION_LENGTH_BYTES = 4 + 8 + 1 + 16;
const SHA1_LENGTH_BYTES = 20;
/** What precedes the seed in a PKCS #8 ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function newSecret(createdAtSeconds: number): Secret {
  return { ...withPoint(generateKeyPairSync('ed25519').privateKey), createdAtSeconds };
}

export function secretFromSeed(seed: Uint8Array, createdAtSeconds: number): Secret {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return { ...withPoint(privateKey), createdAtSeconds };
}

/** The secret key packet without protection. */
export function bareSecretKeyPacket(secret: Secret): Uint8Array {
  const seed = secret.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8_HEAD.length);
  const mpi = writeMpi(seed);
  const sum = mpi.reduce((total, byte) => (total + byte) & 0xffff, 0);
  const body = concat([
    keyBody(secret.ed25519, secret.createdAtSeconds),
    Uint8Array.of(BARE),
    mpi,
    Uint8Array.of(sum >> 8, sum & 0xff),
  ]);
  return concat([packetHeader(TAG_SECRET_KEY, body.length), body]);
}

export function isProtected(privateKey: Uint8Array): boolean {
  return splitPacket(privateKey).rest[0] !== BARE;
}

/** Opens the first packet of `privateKey`; asks for the passphrase only if there is one. */
export async function openSecret(privateKey: Uint8Array, ask: () => Promise<string>): Promise<Secret> {
  const { ed25519, createdAtSeconds, rest } = splitPacket(privateKey);
  const plain = rest[0] === BARE ? checkedBySum(rest.subarray(1)) : decrypt(rest, await ask());
  const { value, end } = readMpi(plain, 0, 'key_malformed');
  if (end !== plain.length || value.length > 32) throw new Failure('key_malformed', { what: 'secret integer' });
  const seed = new Uint8Array(32);
  seed.set(value, 32 - value.length);
  const secret = secretFromSeed(seed, createdAtSeconds);
  seed.fill(0);
  plain.fill(0);
  // A public half swapped on disk would have us sign under somebody else's name.
  if (!equalBytes(secret.ed25519, ed25519))
    throw new Failure('key_malformed', { what: 'halves do not belong together' });
  return secret;
}

export function publicPartOf(privateKey: Uint8Array): Pick<Secret, 'ed25519' | 'createdAtSeconds'> {
  const { ed25519, createdAtSeconds } = splitPacket(privateKey);
  return { ed25519, createdAtSeconds };
}

function splitPacket(privateKey: Uint8Array) {
  const { tag, body } = readPacket(privateKey, 0, 'key_malformed');
  if (tag !== TAG_SECRET_KEY) throw new Failure('key_secret_absent');
  const { ed25519, createdAtSeconds, length } = readKeyBody(body);
  return { ed25519, createdAtSeconds, rest: body.subarray(length) };
}

function checkedBySum(bare: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bare.subarray(0, -2));
  const sum = plain.reduce((total, byte) => (total + byte) & 0xffff, 0);
  if (bare.length < 4 || readUint16(bare, bare.length - 2, 'key_malformed') !== sum) {
    throw new Failure('key_malformed', { what: 'secret checksum' });
  }
  return plain;
}

function decrypt(protectedPart: Uint8Array, passphrase: string): Uint8Array {
  const [usage, cipher, type, hash] = protectedPart;
  const isOurs = usage === SHA1_CHECKED && cipher === AES256 && type === ITERATED && hash === SHA256;
  if (!isOurs || protectedPart.length <= PROTECTION_LENGTH_BYTES + SHA1_LENGTH_BYTES) {
    throw new Failure('key_malformed', { what: 'protection of the secret part' });
  }
  const key = derive(passphrase, protectedPart.subarray(4, 12), protectedPart[12] ?? 0);
  const decipher = createDecipheriv('aes-256-cfb', key, protectedPart.subarray(13, PROTECTION_LENGTH_BYTES));
  const opened = decipher.update(protectedPart.subarray(PROTECTION_LENGTH_BYTES));
  const plain = opened.subarray(0, -SHA1_LENGTH_BYTES);
  const expected = createHash('sha1').update(plain).digest();
  if (!timingSafeEqual(expected, opened.subarray(-SHA1_LENGTH_BYTES))) throw new Failure('passphrase_wrong');
  return plain;
}

/** RFC 4880 §3.7.1.3, iterated and salted: one SHA-256 over salt and passphrase repeated up to a count of bytes. */
function derive(passphrase: string, salt: Uint8Array, countByte: number): Buffer {
  const round = Buffer.concat([salt, Buffer.from(passphrase, 'utf8')]);
  const count = Math.max((16 + (countByte & 15)) << ((countByte >> 4) + 6), round.length);
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(65_536 / round.length) }, () => round));
  const hash = createHash('sha256');
  let left = count;
  for (; left > chunk.length; left -= chunk.length) hash.update(chunk);
  return hash.update(chunk.subarray(0, left)).digest();
}

function withPoint(privateKey: KeyObject): { privateKey: KeyObject; ed25519: Uint8Array } {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, ed25519: new Uint8Array(spki.subarray(-32)) };
}
