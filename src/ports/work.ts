// What lazarus asks of repositories that the host alone writes: hand a revision to a cell, take back what it made of it,
// and say what changed. No repository that a cell could write is ever opened through this.
import type { GitObject, Oid } from '../format/git/object.ts';
import type { CommitFields } from '../format/git/commit.ts';

/** One path that differs between two trees. Renames are a removal and an addition; modes are Git's, `000000` for none. */
export type TreeChange = {
  readonly path: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'type_changed';
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: Oid;
  readonly newOid: Oid;
};

/** What stands at a path of a commit; a folder has type `tree` and no size. */
export type FileAt = {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly oid: Oid;
  readonly bytes: number;
};

export type WorkLimits = {
  /** Of the pack as it arrives. */
  readonly packBytes: number;
  /** Of all new objects unpacked: a small pack can hold a file of many gigabytes. */
  readonly unpackedBytes: number;
  readonly objects: number;
  readonly timeMs: number;
};

/** What a cell hands over: every object of `tree` that `base` does not have, as one pack from a stranger. */
export type HandedOver = {
  /** An empty or absent folder; becomes a repository that borrows the base's objects. */
  readonly into: string;
  readonly base: { readonly repository: string; readonly commit: Oid };
  readonly tree: Oid;
  readonly pack: AsyncIterable<Uint8Array>;
  readonly commit: Pick<CommitFields, 'author' | 'message'>;
  readonly limits?: Partial<WorkLimits>;
};

export interface WorkRepositories {
  /** Brings a commit and its history into a bare repository of our own, made when absent. */
  mirror(from: string, into: string, commit: Oid): Promise<void>;
  /** Everything a commit reaches, as one pack; given `without`, only what that one does not reach. */
  pack(repository: string, commit: Oid, without?: Oid): AsyncIterable<Uint8Array>;
  /** One new commit of the host's with exactly that tree on the base. Throws `work_refused`; then nothing is kept. */
  receive(work: HandedOver): Promise<Oid>;
  /** Every object that `commit` needs and `base` does not have, the commit included. */
  objectsOf(repository: string, base: Oid, commit: Oid): Promise<readonly GitObject[]>;
  /** Of its files, not of what other repositories would bring. Throws `path_undecodable`. */
  paths(repository: string, commit: Oid): Promise<readonly string[]>;
  blob(repository: string, oid: Oid): Promise<Uint8Array>;
  /** Those of these paths that a commit has; each is taken as it is written. */
  filesAt(repository: string, commit: Oid, paths: readonly string[]): Promise<readonly FileAt[]>;
  /** Throws `path_undecodable`. */
  readDiff(repository: string, base: Oid, tree: Oid): Promise<readonly TreeChange[]>;
  /** For people: a patch, or how many lines of each file. No setting or attribute of the repository has a say in it. */
  show(repository: string, base: Oid, commit: Oid, how: 'patch' | 'stat'): Promise<Uint8Array>;
}
