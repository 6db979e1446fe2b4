// Folds a ledger's events into what somebody wants to know of them, as they are verified: from the first, or on from what
// was kept. What was kept counts only where the verified ledger had the very same root at that size; everything else about
// it is thrown away and folded again.
import { LEDGER_FORMAT } from '../kernel/limits.ts';
import type { LedgerKind } from '../kernel/traits.ts';
import type { TreeHead } from '../kernel/values.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { KeptFold } from '../ports/folds.ts';
import type { NextTransaction } from './adoption.ts';

export type Fold<T> = {
  readonly name: string;
  /** Raised whenever the same events come to something else. */
  readonly version: number;
  readonly kind: LedgerKind;
  readonly start: () => T;
  /** Changes the value in place: ledgers are long. */
  readonly take: (value: T, step: NextTransaction) => void;
  /** May keep parts of it beside the rest. */
  readonly write: (value: T) => unknown;
  /** Undefined for what this version of the fold never writes. */
  readonly read: (kept: unknown) => T | undefined;
};

/** `kept`: unconfirmed. `sure`: from verified events alone. `lost`: events are missing, and only the first one helps. */
type Certainty = 'kept' | 'sure' | 'lost';

export class Folding<T> {
  readonly fold: Fold<T>;
  #value: T;
  #head: Pick<TreeHead, 'size' | 'root'> = { size: 0, root: '' };
  #standing: Certainty = 'lost';
  #since: TreeHead | undefined;

  constructor(fold: Fold<T>, kept?: KeptFold) {
    this.fold = fold;
    this.#value = fold.start();
    if (kept === undefined || kept.version !== fold.version || kept.format !== LEDGER_FORMAT) return;
    const value = fold.read(kept.value);
    if (value === undefined) return;
    this.#value = value;
    this.#head = kept.head;
    this.#since = kept.head;
    this.#standing = 'kept';
  }

  /** From where on verified events are needed; undefined: from the first. */
  get since(): TreeHead | undefined {
    return this.#since;
  }

  /** Verifying begins here: at nothing, or at a tip that stands for everything before it. */
  begin(tip: Tip): void {
    if (tip.kind !== this.fold.kind) return;
    if (tip.size === 0) this.#restart();
    else this.#meet(tip);
  }

  take(step: NextTransaction): void {
    const { tip, events } = step;
    if (tip.kind !== this.fold.kind) return;
    const from = tip.size - events.length;
    if (from === 0) this.#restart();
    if (this.#standing !== 'sure' || from !== this.#head.size) return this.#meet(tip);
    this.fold.take(this.#value, step);
    this.#head = { size: tip.size, root: tip.root };
  }

  /** Everything up to this verified tip; undefined when that is not known. */
  at(tip: Tip): T | undefined {
    if (tip.kind !== this.fold.kind) return undefined;
    this.#meet(tip);
    return this.#standing === 'sure' && this.#head.size === tip.size ? this.#value : undefined;
  }

  /** To be kept; undefined where that would say nothing new. */
  async kept(tip: Tip): Promise<KeptFold | undefined> {
    if (this.at(tip) === undefined || this.#since?.oid === tip.oid) return undefined;
    const head = headOf(tip);
    this.#since = head;
    return { version: this.fold.version, format: LEDGER_FORMAT, head, value: await this.fold.write(this.#value) };
  }

  #restart(): void {
    this.#value = this.fold.start();
    this.#head = { size: 0, root: '' };
    this.#standing = 'sure';
    // What is kept may say something else.
    this.#since = undefined;
  }

  /** A tip without its events: of what is known already, where it has to be the same, or beyond it. */
  #meet({ size, root }: Tip): void {
    if (size < this.#head.size) return;
    const isSame = size === this.#head.size && root === this.#head.root;
    if (!isSame) this.#standing = 'lost';
    else if (this.#standing === 'kept') this.#standing = 'sure';
  }
}
