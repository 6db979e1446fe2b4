import { readKey } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { concat, fromHex, utf8 } from '../../../src/format/bytes.ts';
import { packetHeader, uint32 } from '../../../src/format/openpgp/packet.ts';
import { armoredKeyring, certification, parsePublicKey, userIdOf } from '../../../src/format/openpgp/public-key.ts';
import { created, issuer, issuerKeyId, signaturePacket, subpacket } from './packets.ts';
import type { Shape } from './packets.ts';
import { refusal } from './refusal.ts';
import { AT_SECONDS, crypto, testKey } from './signing.ts';
import type { TestKey } from './signing.ts';

const ana = testKey('ana');
const ben = testKey('ben');
const [keyPacket, userPacket, certificate] = packetsOf(ana.publicKey);
const userId = utf8(userIdOf('ana', ana.fingerprint));

describe('a public key', () => {
  it('reads back with its fingerprint, point, time and a user id without any e-mail address', () => {
    expect(parsePublicKey(ana.publicKey, crypto)).toEqual({
      fingerprint: ana.fingerprint,
      ed25519: ana.ed25519,
      createdAtSeconds: AT_SECONDS,
      userId: `ana <${ana.fingerprint}@lazarus.invalid>`,
      bytes: ana.publicKey,
    });
  });

  it('is read without changing the bytes it is read from, whatever kind of array holds them', () => {
    for (let round = 0; round < 20; round++) {
      const { publicKey } = testKey('ana');
      const buffer = Buffer.from(publicKey);
      expect(parsePublicKey(buffer, crypto).fingerprint).toBe(parsePublicKey(publicKey, crypto).fingerprint);
      expect(buffer.equals(publicKey)).toBe(true);
    }
  });

  it('is a valid key to OpenPGP.js, self-signature included', async () => {
    const key = await readKey({ armoredKey: armoredKeyring([ana.publicKey]) });
    expect(key.getFingerprint().toUpperCase()).toBe(ana.fingerprint);
    const [verified] = await key.verifyAllUsers();
    expect(verified).toMatchObject({ userID: `ana <${ana.fingerprint}@lazarus.invalid>`, valid: true });
    await expect(key.getSigningKey()).resolves.toBeDefined();
  });

  it('is refused after any bit flip', () => {
    for (let bit = 0; bit < ana.publicKey.length * 8; bit++) {
      const flipped = ana.publicKey.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(
        refusal(() => parsePublicKey(flipped, crypto)),
        `bit ${bit}`,
      ).not.toBe('accepted');
    }
  });

  const broken: Record<string, [string, Uint8Array]> = {
    'the key packet alone': ['key_malformed', keyPacket],
    'no self-signature': ['key_malformed', concat([keyPacket, userPacket])],
    'two user ids': ['key_malformed', concat([keyPacket, userPacket, certificate, userPacket, certificate])],
    'two self-signatures, one of which could smuggle bytes': [
      'key_malformed',
      concat([keyPacket, userPacket, certificate, certificate]),
    ],
    'a signature instead of a key': ['key_malformed', certificate],
    'bytes after the last packet': ['key_malformed', concat([ana.publicKey, Uint8Array.of(0)])],
    'another person’s name under the self-signature': [
      'key_certification_invalid',
      concat([keyPacket, packet(13, utf8('mallory')), certificate]),
    ],
    'another person’s self-signature': [
      'key_certification_invalid',
      concat([keyPacket, userPacket, packetsOf(ben.publicKey)[2]]),
    ],
    'an RSA key': ['key_algorithm_unsupported', withKeyBody(Uint8Array.of(4, 0, 0, 0, 0, 1, 0, 8, 255))],
    'an algorithm 27 key': [
      'key_algorithm_unsupported',
      withKeyBody(concat([Uint8Array.of(4, 0, 0, 0, 0, 27), ana.ed25519])),
    ],
    'an EdDSA key on another curve': [
      'key_algorithm_unsupported',
      withKeyBody(Uint8Array.of(4, 0, 0, 0, 0, 22, 3, 0x2b, 0x65, 0x71)),
    ],
    'a version 6 key': ['key_version_unsupported', withKeyBody(Uint8Array.of(6, 0, 0, 0, 0, 27))],
    'bytes after the point': ['key_malformed', withKeyBody(concat([keyPacket.subarray(2), Uint8Array.of(1)]))],
    'an empty user id': ['key_malformed', concat([keyPacket, packet(13, new Uint8Array(0)), certificate])],
    'a user id that is not UTF-8': ['key_malformed', concat([keyPacket, packet(13, Uint8Array.of(0xff)), certificate])],
    'a user id that rewrites the terminal': [
      'key_malformed',
      concat([keyPacket, packet(13, utf8('ana\u001b[2J')), certificate]),
    ],
    'a user id that reads backwards': [
      'key_malformed',
      concat([keyPacket, packet(13, utf8('ana\u202eneb')), certificate]),
    ],
    'a user id of 256 bytes': [
      'key_malformed',
      concat([keyPacket, packet(13, new Uint8Array(256).fill(97)), certificate]),
    ],
  };
  it.each(Object.entries(broken))('is refused with %s', (_name, [code, bytes]) => {
    expect(refusal(() => parsePublicKey(bytes, crypto))).toBe(code);
  });

  const certifications: Record<string, [string, Shape]> = {
    'an expiry time of the key': ['key_expires', { hashed: [issuer(ana), created(), subpacket(0x89, uint32(60))] }],
    'an expiry time of the certification': [
      'signature_expires',
      { hashed: [issuer(ana), created(), subpacket(3, uint32(60))] },
    ],
    'key flags that allow no signing': [
      'key_cannot_sign',
      { hashed: [issuer(ana), created(), subpacket(27, Uint8Array.of(1))] },
    ],
    'a revocation in place of the certification': ['key_malformed', { type: 0x30 }],
    'a SHA-1 certification': ['signature_hash_weak', { hash: 2 }],
    'an unknown critical subpacket': [
      'signature_critical_subpacket',
      { hashed: [issuer(ana), created(), subpacket(0x80 | 99)] },
    ],
  };
  it.each(Object.entries(certifications))('is refused with %s', (_name, [code, shape]) => {
    expect(refusal(() => parsePublicKey(certifiedBy(ana, shape), crypto))).toBe(code);
  });

  it('is accepted with each kind of certification and with what gpg and OpenPGP.js say in it', () => {
    for (const type of [0x10, 0x11, 0x12, 0x13]) {
      const hashed = [issuer(ana), created(), subpacket(0x80 | 27, Uint8Array.of(3)), subpacket(11, Uint8Array.of(9))];
      const bytes = certifiedBy(ana, { type, hashed, unhashed: [issuerKeyId(ana)] });
      expect(parsePublicKey(bytes, crypto).fingerprint).toBe(ana.fingerprint);
    }
  });

  it('is refused when its point lets anybody forge signatures', () => {
    const weak = ['01', '00', 'ec'.padEnd(62, 'f') + '7f', 'ee'.padEnd(62, 'f') + 'ff'].map((text) =>
      fromHex(text.padEnd(64, '0')),
    );
    for (const point of weak) {
      const made = certification({ ed25519: point as Uint8Array, createdAtSeconds: 1, userId: 'eve' }, crypto);
      expect(refusal(() => parsePublicKey(made.finish(new Uint8Array(64)), crypto))).toBe('key_weak');
    }
  });

  it('cannot be made with a name or a point that no reader would accept', () => {
    const of = { ed25519: ana.ed25519, createdAtSeconds: 1, userId: 'ana' };
    expect(refusal(() => certification({ ...of, userId: 'a\nb' }, crypto))).toBe('key_malformed');
    expect(refusal(() => certification({ ...of, ed25519: new Uint8Array(31) }, crypto))).toBe('key_malformed');
  });
});

function certifiedBy(key: TestKey, shape: Shape): Uint8Array {
  const body = keyPacket.subarray(2);
  const data = [Uint8Array.of(0x99, 0, body.length), body, Uint8Array.of(0xb4), uint32(userId.length), userId];
  return concat([keyPacket, userPacket, signaturePacket(key, data, { type: 0x13, ...shape })]);
}

function withKeyBody(body: Uint8Array): Uint8Array {
  return concat([packet(6, body), userPacket, certificate]);
}

function packet(tag: number, body: Uint8Array): Uint8Array {
  return concat([packetHeader(tag, body.length), body]);
}

/** The three packets of a key made here: each has a one-byte length. */
function packetsOf(bytes: Uint8Array): [Uint8Array, Uint8Array, Uint8Array] {
  const first = 2 + (bytes[1] as number);
  const second = first + 2 + (bytes[first + 1] as number);
  return [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
}
