// Checking a proof bundle with what this repository knows: its own project ledger, verified, tells of cut-offs and heads
// that the bundle's maker may have left out.
import type { Verdict } from '../kernel/verdict.ts';
import { checkBundle, type BundleReport, type Known } from '../ledger/bundle.ts';
import type { Watch, Workbench } from './workbench.ts';

export async function checkHere(
  bench: Workbench,
  bytes: Uint8Array,
  { genesis, ...watch }: Watch & Pick<Known, 'genesis'>,
): Promise<Verdict<BundleReport>> {
  const { history } = await bench.project(watch);
  return checkBundle(bench.parts.crypto, bytes, { genesis, project: history });
}
