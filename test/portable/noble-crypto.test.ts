// The portable script's own cryptography and node:crypto must agree on everything, above all on what a cunning signer makes.
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { concat } from '../../src/format/bytes.ts';
import type { HashName } from '../../src/format/crypto.ts';
import { checkBundle } from '../../src/ledger/bundle.ts';
import { nobleCrypto } from '../../src/portable/noble-crypto.ts';
import { attacks } from '../support/bundle-attacks.ts';
import { bundleOf, missionMaterial, world } from '../support/bundles.ts';

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);

const both = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): [boolean, boolean] => [
  nodeCrypto.verifyEd25519(key, message, signature),
  nobleCrypto.verifyEd25519(key, message, signature),
];

describe('hashes', () => {
  it.each<HashName>(['sha1', 'sha256', 'sha384', 'sha512'])('%s is the same by both', (name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(nobleCrypto.hash(name, bytes)).toEqual(nodeCrypto.hash(name, bytes));
      }),
    );
  });
});

describe('an Ed25519 signature', () => {
  it('is good by both, and with any one bit changed bad by both', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(64 * 8 - 1), (message, bit) => {
        const signature = ed25519.sign(message, secret);
        expect(both(publicKey, message, signature)).toEqual([true, true]);
        signature[bit >> 3]! ^= 1 << (bit & 7);
        expect(both(publicKey, message, signature)).toEqual([false, false]);
      }),
      { numRuns: 60 },
    );
  });

  it('has one spelling: S + L is refused by both', () => {
    const message = Uint8Array.of(1, 2, 3);
    const signature = ed25519.sign(message, secret);
    const s = littleEndian(signature.subarray(32)) + ORDER;
    expect(both(publicKey, message, concat([signature.subarray(0, 32), bytesOf(s)]))).toEqual([false, false]);
  });

  it('is refused by both with a small-order point added to R, which a verifier that multiplies by eight accepts', () => {
    const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    const message = Uint8Array.of(4, 5, 6);
    const { scalar } = ed25519.utils.getExtendedPublicKey(secret);
    const nonce = 123_456_789n;
    const r = Point.BASE.multiply(nonce).add(torsion).toBytes();
    const k =
      littleEndian(
        createHash('sha512')
          .update(concat([r, publicKey, message]))
          .digest(),
      ) % ORDER;
    const signature = concat([r, bytesOf((nonce + k * scalar) % ORDER)]);
    expect(ed25519.verify(signature, message, publicKey, { zip215: false })).toBe(true);
    expect(both(publicKey, message, signature)).toEqual([false, false]);
  });

  it('by something that is no key, or of another length, is refused by both and not thrown over', () => {
    const message = new Uint8Array(3);
    const signature = ed25519.sign(message, secret);
    for (const key of [
      new Uint8Array(31),
      new Uint8Array(33),
      new Uint8Array(32).fill(0xff),
      new Uint8Array(32).fill(2),
    ])
      expect(both(key, message, signature)).toEqual([false, false]);
    for (const length of [0, 63, 65]) expect(both(publicKey, message, new Uint8Array(length))).toEqual([false, false]);
  });
});

describe('a proof bundle', () => {
  it('gets the same verdict and the same report by both, good or forged', () => {
    const w = world();
    const honest = [0, 4, 11, 13, 18].map((index) => ({ bytes: bundleOf(missionMaterial(w, index)), known: {} }));
    const forged = attacks();
    expect(forged.length).toBeGreaterThan(50);
    for (const { bytes, known } of [...honest, ...forged])
      expect(checkBundle(nobleCrypto, bytes, known)).toEqual(checkBundle(nodeCrypto, bytes, known));
  });

  it('gets the same verdict by both with any one byte of its hashes and signatures changed', () => {
    const text = new TextDecoder().decode(bundleOf(missionMaterial(world(), 4)));
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('A', 'a', '0', '/', '"', '\\', ' ', '}'),
        (at, character) => {
          const bytes = new TextEncoder().encode(text.slice(0, at) + character + text.slice(at + 1));
          expect(checkBundle(nobleCrypto, bytes)).toEqual(checkBundle(nodeCrypto, bytes));
        },
      ),
      { numRuns: 150 },
    );
  });
});

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function bytesOf(number: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
}
