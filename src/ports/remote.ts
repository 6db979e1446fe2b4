// What lazarus asks of a remote repository: tell its heads, hand over history, and take an atomic compare-and-swap.
import type { Oid } from '../format/git/object.ts';
import type { Change, RefUpdate } from './repository.ts';

export type PushOutcome =
  | { readonly is: 'landed' }
  /** A reference was not where we thought, or somebody holds it who is about to move it: fetch, decide again. */
  | { readonly is: 'moved'; readonly isHeld?: boolean }
  /** The server said no for another reason (a hook, a rule). Its words are shown, never interpreted. */
  | { readonly is: 'refused'; readonly ref: string; readonly why: string }
  /** The answer was lost. It may have landed: fetch and look for the transaction id before trying again. */
  | { readonly is: 'unknown'; readonly why: string };

/** What to bring of a history, or of the objects named. A server may bring more; never less without a Failure. */
export type Part = {
  /** References, or names of single objects: not both at once. */
  readonly wants: readonly string[];
  /** Commits to bring at most, counted from those wanted; all when undefined. */
  readonly commitsMax?: number;
  /** How far to go below a commit: 0 no tree, 1 its top tree, 2 what lies directly in that. Below a wanted tree, one further. */
  readonly treeDepth: number;
};

export interface Remote {
  /** For messages: never contains a credential. */
  readonly displayUrl: string;
  heads(refs: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
  /**
   * Brings the named references (patterns allowed) and their objects into the local repository, under `into`. `known`:
   * where they were a moment ago, which may spare the question.
   */
  fetch(refs: readonly string[], into: string, known?: ReadonlyMap<string, Oid>): Promise<void>;
  /** The same for a repository that wants a part only, because it starts from nothing: never for somebody's own clone. */
  fetchPart(part: Part, into: string, known?: ReadonlyMap<string, Oid>): Promise<void>;
  /** One atomic push of all updates; never forced. `old` is what the remote must hold now. */
  push(change: Change): Promise<PushOutcome>;
  /** The same for objects that the local repository has already: git finds out which of them the remote lacks. */
  pushStored(updates: readonly RefUpdate[]): Promise<PushOutcome>;
  close(): Promise<void>;
}
