// What lazarus asks of the files a person works on: read, place and commit a few of its own. Knows no content. Whatever
// the person has there, staged or not, is left as it is.
import type { Oid } from '../format/git/object.ts';

export type CommitFile = { readonly path: string; readonly content: Uint8Array };

/** Paths are relative to `folder`, `/` between the steps. */
export interface WorkTree {
  /** The top of the files, not of the repository. */
  readonly folder: string;
  /** Undefined when there is no such file. Throws `file_not_plain` for a link, or a link on the way there. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whole or not at all, folders included; what was there is replaced. Throws `file_not_plain` as `read` does. */
  write(file: CommitFile): Promise<void>;
  /**
   * Commits these files, with exactly these bytes, onto the branch that is checked out. Throws `index_in_use` when
   * anything else is staged, `head_detached` without a branch. `author` signs where the person told git no name.
   */
  commit(change: {
    readonly files: readonly CommitFile[];
    readonly message: string;
    readonly author: { readonly name: string; readonly email: string };
  }): Promise<Oid>;
  /** Blobs that a path held in the history of the branch, newest first; as many as are worth looking at. */
  versions(path: string): Promise<readonly Oid[]>;
  /** From one blob to another, as lines for a person. */
  difference(before: Oid, after: Oid): Promise<string>;
  /** References below `refs/remotes/` that end so: what a clone brought along without making it its own. */
  remoteCopies(ending: string): Promise<readonly string[]>;
}
