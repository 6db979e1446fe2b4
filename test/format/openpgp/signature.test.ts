import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, utf8 } from '../../../src/format/bytes.ts';
import { statement } from '../../../src/format/openpgp/detached.ts';
import { writeMpi } from '../../../src/format/openpgp/packet.ts';
import { inOneForm } from '../../../src/format/openpgp/signature-packet.ts';
import { parseSignature, prepareSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import { created, issuer, issuerKeyId, signaturePacket, subpacket } from './packets.ts';
import type { Shape } from './packets.ts';
import { refusal } from './refusal.ts';
import { AT_SECONDS, crypto, testKey } from './signing.ts';

const ana = testKey('ana');
const ben = testKey('ben');
const data = utf8('tree 0123\n\nhello\n');

function judge(packet: Uint8Array, key = ana, over = data) {
  let verdict: string | undefined;
  const code = refusal(() => {
    verdict = verifySignature(crypto, parseSignature(packet), key.ed25519, key.fingerprint, over);
  });
  return code === 'accepted' ? (verdict ?? 'good') : code;
}

describe('a signature', () => {
  it('is good over its data, by its key, and says when it was made', () => {
    const packet = ana.sign(data, AT_SECONDS + 5);
    expect(judge(packet)).toBe('good');
    expect(parseSignature(packet)).toMatchObject({
      createdAtSeconds: AT_SECONDS + 5,
      issuer: ana.fingerprint,
      hash: 'sha512',
    });
  });

  it('comes out the same every time, so that a retried append is the same commit', () => {
    expect(ana.sign(data)).toEqual(ana.sign(data));
  });

  it('is refused over other data and under another key', () => {
    expect(judge(ana.sign(data), ana, utf8('tree 0124\n\nhello\n'))).toBe('signature_invalid');
    expect(judge(ana.sign(data), ben)).toBe('signature_issuer_wrong');
  });

  it('is refused when made by another key under this key’s name', () => {
    const forged = signaturePacket(ben, [data], { hashed: [issuer(ana), created()], unhashed: [issuerKeyId(ana)] });
    expect(judge(forged)).toBe('signature_invalid');
  });

  it('is refused at every prefix of its bytes and after every bit flip', () => {
    const packet = ana.sign(data);
    for (let length = 0; length < packet.length; length++) expect(judge(packet.subarray(0, length))).not.toBe('good');
    for (let bit = 0; bit < packet.length * 8; bit++) {
      const flipped = packet.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(judge(flipped), `bit ${bit}`).not.toBe('good');
    }
  });

  it('never makes the parser do anything but refuse by name, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(refusal(() => parseSignature(bytes))).not.toBe('accepted');
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 118 }), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, noise) => {
        const packet = ana.sign(data);
        const before = packet.slice();
        packet.set(noise.subarray(0, packet.length - at), at);
        fc.pre(Buffer.compare(packet, before) !== 0);
        expect(judge(packet)).not.toBe('good');
      }),
      { numRuns: 1000 },
    );
  });

  it('cannot be prepared for a moment or a key that no packet can name', () => {
    const by = { fingerprint: ana.fingerprint, atSeconds: AT_SECONDS };
    for (const wrong of [{ atSeconds: -1 }, { atSeconds: 1.5 }, { atSeconds: 2 ** 32 }, { fingerprint: 'AB' }]) {
      expect(refusal(() => prepareSignature({ ...by, ...wrong }, data, crypto))).toBe('signature_malformed');
    }
    expect(refusal(() => prepareSignature(by, data, crypto).finish(new Uint8Array(63)))).toBe('signature_malformed');
  });
});

describe('the strictness of signatures', () => {
  const critical = 0x80;
  const shapes: Record<string, [string, Shape]> = {
    'text mode, which would cover other line ends too': ['signature_text_mode', { type: 1 }],
    'a certification used as a signature of bytes': ['signature_type', { type: 0x13 }],
    'version 3': ['signature_version', { version: 3 }],
    'version 6': ['signature_version', { version: 6 }],
    'an RSA signature': ['signature_algorithm', { algorithm: 1 }],
    'algorithm 27, which gpg 2.2 cannot read': ['signature_algorithm', { algorithm: 27 }],
    'SHA-1': ['signature_hash_weak', { hash: 2 }],
    'SHA-224': ['signature_hash_weak', { hash: 11 }],
    'an unknown critical subpacket': [
      'signature_critical_subpacket',
      { hashed: [issuer(ana), created(), subpacket(99 | critical)] },
    ],
    'a critical notation': [
      'signature_critical_subpacket',
      { hashed: [issuer(ana), created(), subpacket(20 | critical)] },
    ],
    'an expiry time': ['signature_expires', { hashed: [issuer(ana), created(), subpacket(3, new Uint8Array(4))] }],
    'no creation time': ['signature_malformed', { hashed: [issuer(ana)] }],
    'two creation times': ['signature_malformed', { hashed: [issuer(ana), created(), created(1)] }],
    'a short creation time': ['signature_malformed', { hashed: [issuer(ana), subpacket(2, new Uint8Array(3))] }],
    'no issuer in the signed area': ['signature_malformed', { hashed: [created()] }],
    'two issuers': ['signature_malformed', { hashed: [issuer(ana), issuer(ben), created()] }],
    'an issuer of another version': [
      'signature_malformed',
      { hashed: [subpacket(33, Uint8Array.of(6), new Uint8Array(32)), created()] },
    ],
    'a subpacket that runs past its area': [
      'signature_malformed',
      { hashed: [issuer(ana), created(), Uint8Array.of(9, 16)] },
    ],
    'an empty subpacket': ['signature_malformed', { hashed: [issuer(ana), created(), Uint8Array.of(0)] }],
    'the key id of another key in the unsigned area': ['signature_issuer_wrong', { unhashed: [issuerKeyId(ben)] }],
    'a notation in the unsigned area': [
      'signature_unsigned_data',
      { unhashed: [issuerKeyId(ana), subpacket(20, utf8('anything'))] },
    ],
    'a creation time in the unsigned area': ['signature_unsigned_data', { unhashed: [created(1)] }],
    'the key id twice': ['signature_unsigned_data', { unhashed: [issuerKeyId(ana), issuerKeyId(ana)] }],
    'no key id in the unsigned area': ['signature_unsigned_data', { unhashed: [] }],
    'more than 512 signed bytes': [
      'signature_malformed',
      { hashed: [issuer(ana), created(), ...[1, 2, 3].map(() => subpacket(20, new Uint8Array(180)))] },
    ],
    'bytes inside the packet, after S': ['signature_trailing_bytes', { inside: utf8('x') }],
    'an altered digest prefix': [
      'signature_prefix_wrong',
      { prefix: (digest) => digest.slice(0, 2).map((byte) => byte ^ 1) },
    ],
    'S + L in place of S': [
      'signature_not_canonical',
      { mpis: (rs) => concat([writeMpi(rs.subarray(0, 32)), writeMpi(plusOrder(rs))]) },
    ],
    'an integer with leading zero bits': [
      'signature_malformed',
      { mpis: (rs) => concat([Uint8Array.of(1, 8, 0), rs.subarray(0, 32), writeMpi(rs.subarray(32))]) },
    ],
    'an integer of 33 bytes': [
      'signature_malformed',
      { mpis: (rs) => concat([Uint8Array.of(1, 1, 1), rs.subarray(0, 32), writeMpi(rs.subarray(32))]) },
    ],
    'no S': ['signature_malformed', { mpis: (rs) => writeMpi(rs.subarray(0, 32)) }],
  };
  it.each(Object.entries(shapes))('refuses %s', (_name, [code, shape]) => {
    expect(judge(signaturePacket(ana, [data], shape))).toBe(code);
  });

  it('accepts the same shapes made honestly: SHA-256, a notation that is not critical, key id in the signed area', () => {
    expect(judge(signaturePacket(ana, [data]))).toBe('good');
    expect(judge(signaturePacket(ana, [data], { hash: 8 }))).toBe('good');
    const hashed = [created(), issuerKeyId(ana), subpacket(20, utf8('salt')), issuer(ana)];
    expect(judge(signaturePacket(ana, [data], { hashed }))).toBe('good');
    const long = [issuer(ana), created(), ...[1, 2].map(() => subpacket(20, new Uint8Array(180)))];
    expect(judge(signaturePacket(ana, [data], { hashed: long }))).toBe('good');
  });

  it('refuses anything around the packet, other packets, and lengths without an end', () => {
    const packet = ana.sign(data);
    const body = packet.subarray(2);
    expect(judge(concat([packet, utf8('x')]))).toBe('signature_trailing_bytes');
    expect(judge(concat([packet, packet]))).toBe('signature_trailing_bytes');
    expect(judge(ana.publicKey)).toBe('signature_malformed');
    expect(judge(concat([Uint8Array.of(0x8b), body]))).toBe('signature_malformed');
    expect(judge(concat([Uint8Array.of(0xc2, 0xe0), body]))).toBe('signature_malformed');
    expect(judge(concat([Uint8Array.of(0x08, body.length), body]))).toBe('signature_malformed');
    const other = concat([Uint8Array.of(0xc2, body.length), body]);
    expect(judge(other)).toBe('signature_malformed');
    expect(inOneForm(other)).toEqual(packet);
    expect(inOneForm(signaturePacket(ana, [data], { unhashed: [subpacket(20, utf8('anything'))] }))).toEqual(packet);
    for (const longer of [
      [0x89, 0],
      [0x8a, 0, 0, 0],
      [0xc2, 255, 0, 0, 0],
    ]) {
      expect(judge(concat([Uint8Array.of(...longer, body.length), body]))).toBe('signature_malformed');
    }
  });
});

describe('a statement', () => {
  it('signed for one purpose does not serve for another', () => {
    const roster = utf8('{"n":2}');
    const packet = ana.sign(statement('roster', roster));
    expect(judge(packet, ana, statement('roster', roster))).toBe('good');
    expect(judge(packet, ana, statement('cosign', roster))).toBe('signature_invalid');
    expect(Buffer.from(statement('roster', roster)).toString()).toBe('lazarus roster v1\n{"n":2}');
  });
});

/** S + L: for OpenSSL and gpg of old, another signature of the same bytes by the same key. */
function plusOrder(rs: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(rs.subarray(32)).reverse().toString('hex')}`) + order;
  return new Uint8Array(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse());
}
