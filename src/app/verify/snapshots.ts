// State snapshots of verified ledgers, kept beside the pins: where verifying since a pin begins. A cache that nobody signs:
// whatever is missing or damaged costs time only. Knows where they were kept, not whether the pin still vouches for them.
import { LEDGER_FORMAT } from '../../kernel/limits.ts';
import { STATE_VERSION, type State } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { segmentOf } from '../../ledger/names.ts';
import { headOf, type Tip } from '../../ledger/tip.ts';
import type { Folds, KeptFold } from '../../ports/folds.ts';

/** A tip as far as its commit's tree does not tell it. */
export type Snapshot = { readonly head: TreeHead; readonly state: State; readonly recent: readonly string[] };

export interface Snapshots {
  /** Of the ledger as it was at one of its last segment boundaries, but not beyond `size`; the newest one. */
  upTo(ledger: string, size: number): Promise<Snapshot | undefined>;
  /** Tips that verified: those that stand behind a boundary are kept. */
  keep(ledger: string, tips: readonly Tip[]): Promise<void>;
}

/** So many boundaries: what was folded from a ledger may be some segments older than its pin. */
const BOUNDARIES_KEPT = 4;

export function snapshotsIn(folds: Folds | undefined): Snapshots {
  return {
    async upTo(ledger, size) {
      const newest = segmentOf(size);
      for (let segment = newest; segment > 0 && segment > newest - BOUNDARIES_KEPT; segment--) {
        const kept = await folds?.read(ledger, nameOf(segment));
        if (kept === undefined || kept.version !== STATE_VERSION || kept.format !== LEDGER_FORMAT) continue;
        const { head, value } = kept;
        if (segmentOf(head.size) === segment && head.size <= size) return { head, ...(value as Kept) };
      }
      return undefined;
    },
    async keep(ledger, tips) {
      for (const tip of tips.slice(-BOUNDARIES_KEPT)) {
        const { name, kept } = keptState(tip);
        await folds?.write?.(ledger, name, kept);
      }
    },
  };
}

/** As it is kept; of each segment one, wherever in it. */
export function keptState(tip: Tip): { readonly name: string; readonly kept: KeptFold } {
  const head = headOf(tip);
  const value: Kept = { state: tip.state!, recent: tip.recent };
  return {
    name: nameOf(segmentOf(head.size)),
    kept: { version: STATE_VERSION, format: LEDGER_FORMAT, head, value },
  };
}

/** The tips behind transactions that crossed a boundary, newest last, as a ledger is walked or written. */
export class Crossings {
  #tips: readonly Tip[] = [];

  add(tip: Tip, events: number): void {
    if (segmentOf(tip.size - events) < segmentOf(tip.size)) this.#tips = [...this.#tips, tip].slice(-BOUNDARIES_KEPT);
  }

  /** Those since the last time. */
  take(): readonly Tip[] {
    const tips = this.#tips;
    this.#tips = [];
    return tips;
  }
}

/** For who keeps one snapshot and no store. */
export function only(snapshot: Snapshot | undefined): Snapshots {
  return {
    upTo: (_, size) => Promise.resolve(snapshot !== undefined && snapshot.head.size <= size ? snapshot : undefined),
    keep: () => Promise.resolve(),
  };
}

export function newestOf(tips: readonly Tip[]): Snapshot | undefined {
  const tip = tips.at(-1);
  return tip === undefined ? undefined : { head: headOf(tip), state: tip.state!, recent: tip.recent };
}

type Kept = Pick<Snapshot, 'state' | 'recent'>;

const STATE_NAMES: readonly string[] = Array.from({ length: BOUNDARIES_KEPT }, (_, n) => `state-${n}`);

function nameOf(segment: number): string {
  return STATE_NAMES[segment % BOUNDARIES_KEPT]!;
}
