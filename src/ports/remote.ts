// What lazarus asks of a remote repository: tell its heads, hand over history, and take an atomic compare-and-swap.
import type { Oid } from '../format/git/object.ts';
import type { Change, RefUpdate } from './repository.ts';

export type PushOutcome =
  | { readonly is: 'landed' }
  /** A reference was not where we thought: fetch, decide again. */
  | { readonly is: 'moved' }
  /** The server said no for another reason (a hook, a rule). Its words are shown, never interpreted. */
  | { readonly is: 'refused'; readonly ref: string; readonly why: string }
  /** The answer was lost. It may have landed: fetch and look for the transaction id before trying again. */
  | { readonly is: 'unknown'; readonly why: string };

export type Part = {
  /** References, or names of single objects. */
  readonly wants: readonly string[];
  /** Commits to bring at most, counted from the heads; all when undefined. */
  readonly commitsMax?: number;
  /** How far down from a commit or tree to bring objects: 0 commits only, 1 top trees, 2 with what lies directly in them. */
  readonly treeDepth: number;
};

export interface Remote {
  /** For messages: never contains a credential. */
  readonly displayUrl: string;
  heads(refs: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
  /** Brings the named references (patterns allowed) and their objects into the local repository, under `into`. */
  fetch(refs: readonly string[], into: string): Promise<void>;
  /** The same for a repository that wants a part only, because it starts from nothing: never for somebody's own clone. */
  fetchPart(part: Part, into: string): Promise<void>;
  /** One atomic push of all updates; never forced. `old` is what the remote must hold now. */
  push(change: Change): Promise<PushOutcome>;
  /** The same for objects that the local repository has already: git finds out which of them the remote lacks. */
  pushStored(updates: readonly RefUpdate[]): Promise<PushOutcome>;
  close(): Promise<void>;
}
