// What a ledger comes to for somebody who asks: verified since what was kept of it, folded on from there, and kept again.
import { ledgerName } from '../ledger/names.ts';
import type { Tip } from '../ledger/tip.ts';
import { Folding, type Fold } from './folding.ts';
import type { ProjectView } from './adoption.ts';
import type { Verified } from './verify/verify-ledger.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';

export async function recalled<T>({ parts }: Workbench, ref: string, fold: Fold<T>): Promise<Folding<T>> {
  return new Folding(fold, await parts.folds?.read(ledgerName(ref), fold.name));
}

/** Throws the ledger's flaw: nothing is told of one that does not verify. */
export async function folded<T>(
  bench: Workbench,
  ref: string,
  fold: Fold<T>,
  options: Watch & { readonly project?: ProjectView; readonly genesis?: string } = {},
): Promise<{ readonly value: T; readonly verified: Verified; readonly folding: Folding<T> }> {
  // What was pushed a moment ago is copied here behind its answer.
  await bench.place.upToDate();
  const folding = await recalled(bench, ref, fold);
  const look = async (mode: 'full' | 'since-pin'): Promise<Verified> => {
    const verified = await bench.verify(ref, mode, {
      ...options,
      earlier: folding.since,
      skipsProject: true,
      onStart: (tip) => folding.begin(tip),
      onCommit: (seen) => {
        options.onCommit?.(seen);
        folding.take(seen);
      },
    });
    refuseFlawed(verified.report);
    return verified;
  };
  let verified = await look(folding.since === undefined ? 'full' : 'since-pin');
  if (folding.at(verified.tip) === undefined) verified = await look('full');
  await keep(bench, ref, folding, verified.tip);
  const value = folding.at(verified.tip);
  if (value === undefined) throw new TypeError('a ledger that was verified in full is folded in full');
  return { value, verified, folding };
}

export async function keep<T>({ parts }: Workbench, ref: string, folding: Folding<T>, tip: Tip): Promise<void> {
  if (parts.folds?.write === undefined) return;
  const kept = await folding.kept(tip);
  if (kept !== undefined) await parts.folds.write(ledgerName(ref), folding.fold.name, kept);
}
