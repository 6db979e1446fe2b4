// The Merkle tree of RFC 6962: leaf hashes in, root out, growing at its right edge only.
// Works on hashes; what a leaf was the hash of is the caller's business. Proofs are in merkle-proof.ts.
import { Failure } from '../failure.ts';
import { concatBriefly } from './bytes.ts';
import type { Crypto } from './crypto.ts';

export const HASH_LENGTH_BYTES = 32;

// Leaves and nodes are hashed under different prefixes: otherwise a node could be passed off as a leaf (second preimage).
const LEAF_PREFIX = '\u0000';
const NODE_PREFIX = '\u0001';

export function leafHash(crypto: Crypto, bytes: Uint8Array): Uint8Array {
  return crypto.hash('sha256', concatBriefly(LEAF_PREFIX, [bytes]));
}

export function nodeHash(crypto: Crypto, left: Uint8Array, right: Uint8Array): Uint8Array {
  return crypto.hash('sha256', concatBriefly(NODE_PREFIX, [left, right]));
}

export function emptyRoot(crypto: Crypto): Uint8Array {
  return crypto.hash('sha256', new Uint8Array(0));
}

/** The root over leaves[from..to), by halves as the RFC defines it. */
export function treeRoot(crypto: Crypto, leaves: readonly Uint8Array[], from = 0, to = leaves.length): Uint8Array {
  if (to === from) return emptyRoot(crypto);
  const frontier = new Frontier(crypto);
  for (let i = from; i < to; i++) frontier.append(leaves[i]!);
  return frontier.root();
}

/**
 * All that must be remembered of a tree in order to append to it: the roots of the complete subtrees at its left,
 * largest first, one per set bit of its size.
 */
export class Frontier {
  readonly #crypto: Crypto;
  readonly #hashes: Uint8Array[] = [];
  #size = 0;

  constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  /** Takes up a frontier that was written down; throws frontier_invalid when the hashes cannot be of that size. */
  static from(crypto: Crypto, size: number, hashes: readonly Uint8Array[]): Frontier {
    const fits = isTreeSize(size) && hashes.length === countOnes(size);
    if (!fits || hashes.some((hash) => hash.length !== HASH_LENGTH_BYTES)) {
      throw new Failure('frontier_invalid', { size, hashes: hashes.length });
    }
    const frontier = new Frontier(crypto);
    frontier.#hashes.push(...hashes);
    frontier.#size = size;
    return frontier;
  }

  get size(): number {
    return this.#size;
  }

  hashes(): readonly Uint8Array[] {
    return [...this.#hashes];
  }

  /** Adds a leaf hash; one node hash on average, because half of all leaves complete no subtree. */
  append(leaf: Uint8Array): void {
    if (leaf.length !== HASH_LENGTH_BYTES) throw new Failure('frontier_invalid', { leaf_bytes: leaf.length });
    let subtree = leaf;
    // Each trailing one in the size is a subtree as large as the one in hand.
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      subtree = nodeHash(this.#crypto, this.#hashes.pop()!, subtree);
    }
    this.#hashes.push(subtree);
    this.#size++;
  }

  /** At most log2(size) node hashes. */
  root(): Uint8Array {
    if (this.#size === 0) return emptyRoot(this.#crypto);
    let root = this.#hashes.at(-1)!;
    for (let i = this.#hashes.length - 2; i >= 0; i--) root = nodeHash(this.#crypto, this.#hashes[i]!, root);
    return root;
  }

  /** An independent copy, for deciding on a transaction that may not land. */
  clone(): Frontier {
    const copy = new Frontier(this.#crypto);
    copy.#hashes.push(...this.#hashes);
    copy.#size = this.#size;
    return copy;
  }
}

/** Sizes and positions may come from a stranger's proof, as any number at all. */
export function isTreeSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

// Arithmetic instead of bit operators, which would cut sizes to 32 bits.
function countOnes(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}
