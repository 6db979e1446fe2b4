// Where a writer's tip comes from: a clone that is kept abreast of its ledger, or whatever is fetched of a ledger that there
// is no clone of. All that differs between ways to append is behind this; deciding, sealing and racing are the same.
import type { TreeHead } from '../kernel/values.ts';
import type { Refused, Verdict } from '../kernel/verdict.ts';
import type { Tip } from '../ledger/tip.ts';
import type { PushOutcome } from '../ports/remote.ts';
import type { Change } from '../ports/repository.ts';
import type { NextTransaction } from './adoption.ts';
import type { Author } from './sealing.ts';

export type LandedTransaction = { readonly head: TreeHead; readonly from: number; readonly tx: string };

/** A verified tip, and who writes on it. */
export type Footing = { readonly tip: Tip; readonly author: Author };

export interface TipSource {
  /** What to build on: the newest tip, or after a landing the one known already, for the push itself asks whether it is. */
  footing(): Promise<Verdict<Footing>>;
  /** Whether the next footing knows more than the last: whoever is refused must be so by what the ledger is. */
  knowsMore(refused: Refused): boolean;
  /** A transaction of ours that is in the ledger already, though its answer was lost. */
  landed(tx: string): LandedTransaction | undefined;
  /** Somebody else was quicker, or nobody answered: the next footing is looked for. */
  lost(): void;
  push(change: Change): Promise<PushOutcome>;
  /** What landed is where the next one begins. */
  adopt(steps: readonly NextTransaction[], landed: readonly LandedTransaction[]): Promise<void>;
}
