// What verified ledgers were folded into, kept beside the pins so that the next look folds only what is new. Deletable at
// any time: what is lost is time. Worth as much as a pin, and never more than the ledger that it is held against.
import type { TreeHead } from '../kernel/values.ts';

export type KeptFold = {
  /** Of the fold and its rules: the same events may come to something else in another version. */
  readonly version: number;
  readonly format: number;
  /** The ledger's head when everything up to it had been folded. */
  readonly head: TreeHead;
  readonly value: unknown;
};

export interface Folds {
  /** Undefined when nothing is kept, and when there is anything wrong with it. */
  read(ledger: string, name: string): Promise<KeptFold | undefined>;
  /** All at once. Never throws: what cannot be kept is folded again. Left out where nothing is kept: for a job of seconds. */
  write?(ledger: string, name: string, kept: KeptFold): Promise<void>;
}
