// What lazarus asks of a Git repository: read objects, walk history, and move references all at once or not at all.
// Says nothing of ledgers; a clone on disk, isomorphic-git and an in-memory twin all answer to it.
import type { GitObject, Oid } from '../format/git/object.ts';

export type TreePath = { readonly path: string; readonly oid: Oid };

/** One reference of a change. `old` undefined: must not exist yet. `next` undefined: is deleted. */
export type RefUpdate = { readonly ref: string; readonly old: Oid | undefined; readonly next: Oid | undefined };
export type Change = { readonly objects: readonly GitObject[]; readonly updates: readonly RefUpdate[] };

export interface RepositoryReader {
  /** The object a reference names now, or undefined. Symbolic references are followed. */
  resolve(ref: string): Promise<Oid | undefined>;
  /** References below a prefix such as `refs/heads/lazarus/`, sorted by name. */
  list(prefix: string): Promise<readonly { readonly ref: string; readonly oid: Oid }[]>;
  /** Commits from `head` back along first parents, newest first, `until` excluded. Throws object_missing. */
  history(head: Oid, until?: Oid): AsyncIterable<GitObject>;
  /** Objects in the order asked for. Throws object_missing. Bodies are not hashed: callers that verify do that. */
  read(oids: readonly Oid[]): AsyncIterable<GitObject>;
  /** Every blob of a tree (or of a commit's tree) with its path, in Git's order; below `prefix` only when given. */
  files(treeish: Oid, prefix?: string): AsyncIterable<TreePath>;
  /** How many commits are reachable from `tip` and not from `base`, merges included. */
  countBetween(base: Oid, tip: Oid): Promise<number>;
  /** The commits reachable from `tip` and not from `base`, merges included, in no particular order. */
  commitsBetween(base: Oid, tip: Oid): Promise<readonly Oid[]>;
  /** The commits between `base` and `tip`, merges included, that have `base` as a parent. */
  childrenOf(base: Oid, tip: Oid): Promise<readonly Oid[]>;
  isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean>;
  /** Refuses by name (`shallow_repository`, `partial_clone`) where history cannot be complete. */
  assertComplete(): Promise<void>;
  close(): Promise<void>;
}

export interface Repository extends RepositoryReader {
  /** The folder shared by all work trees of this repository, for pins and drafts (`<git dir>/lazarus`). */
  readonly stateDir: string;
  /**
   * Stores the objects durably, then moves every reference, or moves none: throws `head_moved` when one of them
   * is not at its `old`, `lock_held`, `disk_full` or `not_writable` otherwise. When it returns, all is fsynced.
   */
  commit(change: Change): Promise<void>;
  /** How many bytes each body has; undefined for an object that is not here. */
  sizes(oids: readonly Oid[]): Promise<readonly (number | undefined)[]>;
  /** Every blob here whose body has one of these sizes, in bytes: also those that no reference reaches any more. */
  blobsOfSizes(sizes: ReadonlySet<number>): Promise<readonly Oid[]>;
  /** Deletes objects that were committed as deletable. Answers with those that can be read all the same. */
  erase(oids: readonly Oid[]): Promise<readonly Oid[]>;
  /** What is wrong with the objects that these heads reach, in the repository's own words; empty when nothing is. */
  complaints(heads: readonly Oid[]): Promise<readonly string[]>;
}
