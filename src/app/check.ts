// Checking a proof bundle with what this repository knows: its own project ledger, verified, tells of cut-offs and heads
// that the bundle's maker may have left out.
import type { Verdict } from '../kernel/verdict.ts';
import { checkBundle, type BundleReport, type Known } from '../ledger/bundle.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import type { Watch, Workbench } from './workbench.ts';

export async function checkHere(
  bench: Workbench,
  bytes: Uint8Array,
  { genesis, ...watch }: Watch & Pick<Known, 'genesis'>,
): Promise<Verdict<BundleReport>> {
  const { crypto, pins } = bench.parts;
  const { history, tip } = await bench.project(watch);
  const pin = await pins.read(ledgerName(PROJECT_REF));
  const vouchedFor = pin?.genesis_confirmed === true ? pin.project_genesis : undefined;
  return checkBundle(crypto, bytes, {
    genesis: genesis ?? vouchedFor,
    project: history.asKnown(tip.state!.project_genesis),
  });
}
