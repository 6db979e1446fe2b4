// Proofs: every position and size up to 70 against the definition, published vectors, and what a forger might try.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { fromHex, hex } from '../../src/format/bytes.ts';
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from '../../src/format/merkle-proof.ts';
import { emptyRoot, leafHash, treeRoot } from '../../src/format/merkle.ts';
import { definedPath, definedProof, LEAVES, ROOTS } from '../support/merkle-reference.ts';

const SIZE_MAX = 70;
const leaves = Array.from({ length: SIZE_MAX }, (_, i) => leafHash(nodeCrypto, Uint8Array.of(i)));
const roots = Array.from({ length: SIZE_MAX + 1 }, (_, size) => treeRoot(nodeCrypto, leaves.slice(0, size)));

describe('the published proofs', () => {
  const published = LEAVES.map((leaf) => leafHash(nodeCrypto, fromHex(leaf)!));
  it.each([
    [0, 1, ''],
    [0, 8, '96a296d2 5f083f0a 6b47aaf2'],
    [5, 8, 'bc1a0643 ca854ea1 d37ee418'],
    [2, 3, 'fac54203'],
    [1, 5, '6e340b9c 5f083f0a bc1a0643'],
  ])('of leaf %i in %i leaves', (index, size, starts) => {
    const proof = inclusionProof(nodeCrypto, published.slice(0, size), index);
    expect(shorten(proof)).toBe(starts);
    expect(
      verifyInclusion(nodeCrypto, { leaf: published[index]!, index, size, proof, root: fromHex(ROOTS[size]!)! }),
    ).toBe(true);
  });

  it.each([
    [1, 1, ''],
    [1, 8, '96a296d2 5f083f0a 6b47aaf2'],
    [6, 8, '0ebc5d34 ca854ea1 d37ee418'],
    [2, 5, '5f083f0a bc1a0643'],
  ])('of %i leaves growing to %i', (oldSize, newSize, starts) => {
    const proof = consistencyProof(nodeCrypto, published.slice(0, newSize), oldSize);
    expect(shorten(proof)).toBe(starts);
    const [oldRoot, newRoot] = [fromHex(ROOTS[oldSize]!)!, fromHex(ROOTS[newSize]!)!];
    expect(verifyConsistency(nodeCrypto, { oldSize, oldRoot, newSize, newRoot, proof })).toBe(true);
  });

  function shorten(proof: readonly Uint8Array[]): string {
    return proof.map((hash) => hex(hash).slice(0, 8)).join(' ');
  }
});

describe('inclusion', () => {
  it('is proved as defined for every leaf at every size, and for no other position, size or root', () => {
    for (let size = 1; size <= SIZE_MAX; size++) {
      for (let index = 0; index < size; index++) {
        const proof = inclusionProof(nodeCrypto, leaves.slice(0, size), index);
        expect(proof).toEqual(definedPath(index, leaves.slice(0, size)));
        const claim = { leaf: leaves[index]!, index, size, proof, root: roots[size]! };
        expect(verifyInclusion(nodeCrypto, claim)).toBe(true);
        expect(verifyInclusion(nodeCrypto, { ...claim, index: (index + 1) % (size + 1) })).toBe(false);
        expect(verifyInclusion(nodeCrypto, { ...claim, root: roots[size - 1]! })).toBe(false);
        expect(verifyInclusion(nodeCrypto, { ...claim, leaf: leafHash(nodeCrypto, Uint8Array.of(255)) })).toBe(false);
      }
    }
  });

  it('is not proved by a changed, shortened, lengthened or reordered proof', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: SIZE_MAX }), fc.nat(), fc.nat(), (size, at, bit) => {
        const index = at % size;
        const proof = inclusionProof(nodeCrypto, leaves.slice(0, size), index);
        for (const forged of mutations(proof, bit)) {
          expect(
            verifyInclusion(nodeCrypto, { leaf: leaves[index]!, index, size, proof: forged, root: roots[size]! }),
          ).toBe(false);
        }
      }),
    );
  });

  it('cannot be claimed for an inner node', () => {
    // The attack the prefixes stop: a node offered as the leaf of a tree half as large.
    const inner = treeRoot(nodeCrypto, leaves.slice(0, 2));
    const claim = {
      leaf: inner,
      index: 0,
      size: 4,
      proof: [roots[2]!, treeRoot(nodeCrypto, leaves.slice(2, 4))],
      root: roots[4]!,
    };
    expect(verifyInclusion(nodeCrypto, claim)).toBe(false);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('refuses %d as an index or a size', (number) => {
    const claim = { leaf: leaves[0]!, index: 0, size: 1, proof: [], root: roots[1]! };
    expect(verifyInclusion(nodeCrypto, { ...claim, size: number })).toBe(false);
    expect(verifyInclusion(nodeCrypto, { ...claim, index: number })).toBe(false);
    expect(() => inclusionProof(nodeCrypto, leaves, number)).toThrow(/proof_impossible/);
  });

  it('refuses hashes that are not 32 bytes long', () => {
    expect(
      verifyInclusion(nodeCrypto, {
        leaf: leaves[0]!,
        index: 0,
        size: 2,
        proof: [new Uint8Array(33)],
        root: roots[2]!,
      }),
    ).toBe(false);
  });
});

describe('consistency', () => {
  it('is proved as defined between every two sizes', () => {
    for (let newSize = 0; newSize <= SIZE_MAX; newSize++) {
      for (let oldSize = 0; oldSize <= newSize; oldSize++) {
        const proof = consistencyProof(nodeCrypto, leaves.slice(0, newSize), oldSize);
        if (oldSize > 0) expect(proof).toEqual(definedProof(oldSize, leaves.slice(0, newSize)));
        const claim = { oldSize, oldRoot: roots[oldSize]!, newSize, newRoot: roots[newSize]!, proof };
        expect(verifyConsistency(nodeCrypto, claim)).toBe(true);
        const other = leafHash(nodeCrypto, Uint8Array.of(254));
        expect(verifyConsistency(nodeCrypto, { ...claim, oldRoot: other })).toBe(false);
        // Every tree follows from the empty one, whose proof is empty: there the new root is not part of the claim.
        expect(verifyConsistency(nodeCrypto, { ...claim, newRoot: other })).toBe(oldSize === 0 && newSize > 0);
      }
    }
  });

  it('is not proved between two histories that forked', () => {
    const fork = [...leaves.slice(0, 9), leafHash(nodeCrypto, Uint8Array.of(200)), ...leaves.slice(10, 30)];
    const proof = consistencyProof(nodeCrypto, fork, 12);
    const claim = { oldSize: 12, oldRoot: roots[12]!, newSize: 30, newRoot: treeRoot(nodeCrypto, fork), proof };
    expect(verifyConsistency(nodeCrypto, claim)).toBe(false);
  });

  it('is not proved by a changed, shortened, lengthened or reordered proof', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SIZE_MAX }), fc.nat(), fc.nat(), (newSize, at, bit) => {
        const oldSize = at % (newSize + 1);
        const proof = consistencyProof(nodeCrypto, leaves.slice(0, newSize), oldSize);
        for (const forged of mutations(proof, bit)) {
          const claim = { oldSize, oldRoot: roots[oldSize]!, newSize, newRoot: roots[newSize]!, proof: forged };
          expect(verifyConsistency(nodeCrypto, claim)).toBe(false);
        }
      }),
    );
  });

  it('is refused backwards, and from an empty tree that is not empty', () => {
    const backwards = { oldSize: 3, oldRoot: roots[3]!, newSize: 2, newRoot: roots[2]!, proof: [] };
    expect(verifyConsistency(nodeCrypto, backwards)).toBe(false);
    const empty = { oldSize: 0, oldRoot: roots[1]!, newSize: 2, newRoot: roots[2]!, proof: [] };
    expect(verifyConsistency(nodeCrypto, empty)).toBe(false);
    expect(verifyConsistency(nodeCrypto, { ...empty, oldRoot: emptyRoot(nodeCrypto) })).toBe(true);
    expect(() => consistencyProof(nodeCrypto, leaves, SIZE_MAX + 1)).toThrow(/proof_impossible/);
  });
});

/** Every single-step forgery of a proof: one bit flipped, one hash dropped, added, doubled or swapped. */
function mutations(proof: readonly Uint8Array[], seed: number): Uint8Array[][] {
  const forged: Uint8Array[][] = [
    [...proof, new Uint8Array(32)],
    [new Uint8Array(32), ...proof],
  ];
  proof.forEach((hash, i) => {
    const flipped = Uint8Array.from(hash);
    flipped[seed % 32]! ^= 1 << (seed % 8);
    forged.push([...proof.slice(0, i), flipped, ...proof.slice(i + 1)], [...proof.slice(0, i), ...proof.slice(i + 1)]);
    forged.push([...proof.slice(0, i), hash, ...proof.slice(i)]);
    if (i > 0) forged.push([...proof.slice(0, i - 1), hash, proof[i - 1]!, ...proof.slice(i + 1)]);
  });
  return forged;
}
