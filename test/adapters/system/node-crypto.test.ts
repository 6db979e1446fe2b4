// The primitives against an independent implementation, and the malleability that OpenSSL is relied upon to refuse.
import { generateKeyPairSync, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';

// The order of the group: S and S + L are the same scalar in two spellings.
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
const message = new TextEncoder().encode('a tree head');
const signature = new Uint8Array(sign(null, message, privateKey));

describe('hashes', () => {
  it('are those of an independent implementation, and no Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(nodeCrypto.hash('sha1', bytes)).toEqual(sha1(bytes));
        expect(nodeCrypto.hash('sha256', bytes)).toEqual(sha256(bytes));
        expect(nodeCrypto.hash('sha384', bytes)).toEqual(sha384(bytes));
        expect(nodeCrypto.hash('sha512', bytes)).toEqual(sha512(bytes));
      }),
    );
    expect(Buffer.isBuffer(nodeCrypto.hash('sha256', message))).toBe(false);
  });

  it('cover exactly the bytes of a view into a larger buffer', () => {
    const whole = new Uint8Array(100).map((_, i) => i);
    expect(nodeCrypto.hash('sha256', whole.subarray(10, 20))).toEqual(sha256(whole.slice(10, 20)));
  });
});

describe('Ed25519', () => {
  it('accepts a signature, and says no when message, key or signature is another', () => {
    expect(nodeCrypto.verifyEd25519(raw, message, signature)).toBe(true);
    expect(nodeCrypto.verifyEd25519(raw, message.subarray(1), signature)).toBe(false);
    expect(nodeCrypto.verifyEd25519(ed25519.getPublicKey(new Uint8Array(32)), message, signature)).toBe(false);
    expect(nodeCrypto.verifyEd25519(raw, message, flip(signature, 40))).toBe(false);
  });

  it('knows a key by all of its bytes, also as a view into a larger buffer', () => {
    const packet = new Uint8Array(80);
    packet.set(raw, 7);
    expect(nodeCrypto.verifyEd25519(packet.subarray(7, 39), message, signature)).toBe(true);
    expect(nodeCrypto.verifyEd25519(packet.subarray(6, 38), message, signature)).toBe(false);
  });

  it('refuses a signature whose S was respelled as S + L', () => {
    const forged = Uint8Array.from(signature);
    let s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + L;
    for (let i = 32; i < 64; i++, s >>= 8n) forged[i] = Number(s & 0xffn);
    expect(nodeCrypto.verifyEd25519(raw, message, forged)).toBe(false);
  });

  it.each([
    ['a short key', raw.subarray(1), signature],
    ['a key that is no point', new Uint8Array(32).fill(0xff), signature],
    ['a short signature', raw, signature.subarray(1)],
    ['a long signature', raw, new Uint8Array([...signature, 0])],
    ['no signature', raw, new Uint8Array(0)],
  ])('says no to %s instead of throwing', (_, key, signature) => {
    expect(nodeCrypto.verifyEd25519(key, message, signature)).toBe(false);
  });

  it('still answers right after more keys than it remembers', () => {
    for (let i = 0; i < 1100; i++) {
      const stranger = new Uint8Array(32).fill(i).fill(i >> 8, 16);
      expect(nodeCrypto.verifyEd25519(stranger, message, signature)).toBe(false);
    }
    expect(nodeCrypto.verifyEd25519(raw, message, signature)).toBe(true);
  });
});

describe('clock and ids', () => {
  it('give whole seconds, and version 4 UUIDs that differ', () => {
    expect(Number.isSafeInteger(systemClock.nowSeconds())).toBe(true);
    expect(systemIds.next()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(systemIds.next()).not.toBe(systemIds.next());
  });
});

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[at]! ^= 1;
  return flipped;
}
