// The tree against its definition, written out here once more in the plainest way, and against published roots.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { fromHex, hex } from '../../src/format/bytes.ts';
import { emptyRoot, Frontier, leafHash, treeRoot } from '../../src/format/merkle.ts';
import { definedRoot, LEAVES, ROOTS } from '../support/merkle-reference.ts';

describe('the tree of RFC 6962', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))('has the published root at %i leaves', (size, root) => {
    const leaves = LEAVES.slice(0, size).map((leaf) => leafHash(nodeCrypto, fromHex(leaf)!));
    expect(hex(treeRoot(nodeCrypto, leaves))).toBe(root);
    expect(hex(definedRoot(leaves))).toBe(root);
  });

  it('grows to the defined root at every size, and so does a frontier written down and taken up again', () => {
    const leaves: Uint8Array[] = [];
    let frontier = new Frontier(nodeCrypto);
    expect(frontier.root()).toEqual(emptyRoot(nodeCrypto));
    for (let size = 1; size <= 300; size++) {
      const leaf = leafHash(nodeCrypto, Uint8Array.of(size, size >> 8));
      leaves.push(leaf);
      frontier.append(leaf);
      expect(frontier.size).toBe(size);
      expect(frontier.root()).toEqual(definedRoot(leaves));
      frontier = Frontier.from(nodeCrypto, frontier.size, frontier.hashes());
    }
  });

  it('leaves the original untouched when a copy grows', () => {
    const frontier = new Frontier(nodeCrypto);
    for (let i = 0; i < 7; i++) frontier.append(leafHash(nodeCrypto, Uint8Array.of(i)));
    const root = frontier.root();
    frontier.clone().append(leafHash(nodeCrypto, Uint8Array.of(7)));
    expect(frontier.size).toBe(7);
    expect(frontier.root()).toEqual(root);
  });

  it('spends about one hash per appended leaf and at most log2 of the size on a root', () => {
    let hashes = 0;
    const counting = {
      ...nodeCrypto,
      hash: (...args: Parameters<typeof nodeCrypto.hash>) => (hashes++, nodeCrypto.hash(...args)),
    };
    const frontier = new Frontier(counting);
    const leaf = leafHash(nodeCrypto, new Uint8Array(1));
    for (let i = 0; i < 100_000; i++) frontier.append(leaf);
    expect(hashes).toBeLessThanOrEqual(100_000);
    hashes = 0;
    frontier.root();
    expect(hashes).toBeLessThanOrEqual(16);
  });

  it.each([
    ['too few hashes', 3, 1],
    ['too many hashes', 4, 2],
    ['a negative size', -1, 0],
    ['a size that is no integer', 1.5, 1],
    ['a size past the safe integers', 2 ** 53, 1],
  ])('does not take up a frontier with %s', (_, size, count) => {
    const hashes = Array.from({ length: count }, () => new Uint8Array(32));
    expect(() => Frontier.from(nodeCrypto, size, hashes)).toThrow(
      expect.objectContaining({ code: 'frontier_invalid' }),
    );
  });

  it('does not take a hash of another length', () => {
    expect(() => Frontier.from(nodeCrypto, 1, [new Uint8Array(31)])).toThrow(/frontier_invalid/);
    expect(() => new Frontier(nodeCrypto).append(new Uint8Array(33))).toThrow(/frontier_invalid/);
  });

  it('counts sizes beyond 32 bits', () => {
    const size = 2 ** 40 + 5;
    const hashes = Array.from({ length: 3 }, (_, i) => new Uint8Array(32).fill(i));
    const frontier = Frontier.from(nodeCrypto, size, hashes);
    frontier.append(new Uint8Array(32));
    expect(frontier.size).toBe(size + 1);
    expect(frontier.hashes()).toHaveLength(3);
  });
});
