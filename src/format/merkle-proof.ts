// Proofs about an RFC 6962 tree: this leaf is in it (inclusion), that older tree is its beginning (consistency).
// The checkers need a proof and the roots only. Whether a root is to be trusted is not asked here.
import { Failure } from '../failure.ts';
import { equalBytes } from './bytes.ts';
import type { Crypto } from './crypto.ts';
import { emptyRoot, HASH_LENGTH_BYTES, isTreeSize, nodeHash, treeRoot } from './merkle.ts';

export type Inclusion = {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
};

export type Consistency = {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly newSize: number;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
};

/** The hashes beside the way from leaf `index` up to the root, lowest first (RFC 6962 §2.1.1). */
export function inclusionProof(crypto: Crypto, leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (!isTreeSize(index) || index >= leaves.length)
    throw new Failure('proof_impossible', { index, size: leaves.length });
  const proof: Uint8Array[] = [];
  let from = 0;
  let to = leaves.length;
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    const left = index < middle;
    proof.push(left ? treeRoot(crypto, leaves, middle, to) : treeRoot(crypto, leaves, from, middle));
    if (left) to = middle;
    else from = middle;
  }
  return proof.reverse();
}

/** The hashes from which both the root at `oldSize` and today's follow, lowest first (RFC 6962 §2.1.2). */
export function consistencyProof(
  crypto: Crypto,
  leaves: readonly Uint8Array[],
  oldSize: number,
): readonly Uint8Array[] {
  if (!isTreeSize(oldSize) || oldSize > leaves.length) {
    throw new Failure('proof_impossible', { old_size: oldSize, size: leaves.length });
  }
  if (oldSize === 0) return [];
  const proof: Uint8Array[] = [];
  let from = 0;
  let to = leaves.length;
  while (oldSize < to) {
    const middle = from + largestPowerBelow(to - from);
    const left = oldSize <= middle;
    proof.push(left ? treeRoot(crypto, leaves, middle, to) : treeRoot(crypto, leaves, from, middle));
    if (left) to = middle;
    else from = middle;
  }
  // When the way never turned right, the old tree is itself a node of the new one and its root is already known.
  if (from > 0) proof.push(treeRoot(crypto, leaves, from, to));
  return proof.reverse();
}

/** True only for a proof of exactly the needed length that leads from the leaf to the root (RFC 9162 §2.1.3.2). */
export function verifyInclusion(crypto: Crypto, { leaf, index, size, proof, root }: Inclusion): boolean {
  if (!isTreeSize(index) || !isTreeSize(size) || index >= size || !areHashes([leaf, root, ...proof])) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(crypto, sibling, hash);
      // A right edge that is the only child so far climbs without a sibling.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = nodeHash(crypto, hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equalBytes(hash, root);
}

/** True only if the tree with `oldRoot` is what the tree with `newRoot` began as (RFC 9162 §2.1.4.2). */
export function verifyConsistency(crypto: Crypto, consistency: Consistency): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = consistency;
  if (!isTreeSize(oldSize) || !isTreeSize(newSize) || oldSize > newSize) return false;
  if (!areHashes([oldRoot, newRoot, ...proof])) return false;
  if (oldSize === newSize)
    return proof.length === 0 && equalBytes(oldRoot, newRoot) && isEmptyRootIfEmpty(crypto, oldSize, oldRoot);
  if (oldSize === 0) return proof.length === 0 && isEmptyRootIfEmpty(crypto, oldSize, oldRoot);

  let at = oldSize - 1;
  let last = newSize - 1;
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  const steps = at === 0 ? [oldRoot, ...proof] : proof;
  const start = steps[0];
  if (start === undefined) return false;
  let oldHash = start;
  let newHash = start;
  for (const sibling of steps.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(crypto, sibling, oldHash);
      newHash = nodeHash(crypto, sibling, newHash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newHash = nodeHash(crypto, newHash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equalBytes(oldHash, oldRoot) && equalBytes(newHash, newRoot);
}

/** Before an empty tree anything is consistent, but only the empty root may call itself empty. */
function isEmptyRootIfEmpty(crypto: Crypto, size: number, root: Uint8Array): boolean {
  return size > 0 || equalBytes(root, emptyRoot(crypto));
}

function areHashes(values: readonly Uint8Array[]): boolean {
  return values.every((value) => value.length === HASH_LENGTH_BYTES);
}

function half(position: number): number {
  return Math.floor(position / 2);
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
