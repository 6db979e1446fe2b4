// Making a proof bundle: verify the whole ledger, keep what a checker will need, write it as one file. Nothing is proved
// from a ledger that does not verify.
import { Failure } from '../failure.ts';
import type { Bundle } from '../ledger/bundle-format.ts';
import { checkBundle } from '../ledger/bundle.ts';
import { writeBundle } from '../ledger/bundle-write.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { readCosignatures, validCosignatures } from './cosign.ts';
import { ProofCollector } from './proof-collector.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';

/** An event, by its index or the beginning of its id, or the growth since a head of that size. */
export type Wanted = { readonly event: string } | { readonly oldSize: number };

export type Proof = {
  readonly bytes: Uint8Array;
  readonly claim: Bundle['claim'];
  readonly ledger: string;
  readonly size: number;
};

export async function prove(bench: Workbench, ref: string, wanted: Wanted, watch: Watch = {}): Promise<Proof> {
  const { crypto, repository } = bench.parts;
  const beside = await readCosignatures(repository, ref);
  const sizes = new Set(beside.map(({ size }) => size));
  if ('oldSize' in wanted) sizes.add(wanted.oldSize);
  const own = new ProofCollector(crypto, 'event' in wanted ? { event: wanted.event, sizes } : { sizes });
  const project = new ProofCollector(crypto);
  const { report, tip } = await bench.verify(ref, 'full', {
    ...watch,
    onCommit: (seen) => {
      (seen.ledger === 'project' && ref !== PROJECT_REF ? project : own).add(seen);
      watch.onCommit?.(seen);
    },
  });
  refuseFlawed(report);
  const ledger = ledgerName(ref);
  const claim = claimOf(own, wanted, ledger);
  const cosignatures = own.newest(validCosignatures(crypto, tip, beside));
  const shown = new Set(cosignatures.map(({ size }) => size));
  if (claim.is === 'continuation') shown.add(claim.old_size);
  const bundle = writeBundle(crypto, {
    claim,
    cosignatures,
    ledger: await own.extracts(repository, shown),
    project: project.size === 0 ? undefined : await project.extracts(repository, new Set()),
  });
  if (bundle.is === 'refused') throw new Failure(bundle.code, bundle.facts);
  // Handed to somebody who cannot ask again: what its checker would refuse is no proof.
  const checked = checkBundle(crypto, bundle.value);
  if (checked.is === 'refused') throw new Failure(checked.code, checked.facts);
  return { bytes: bundle.value, claim, ledger, size: own.size };
}

function claimOf(own: ProofCollector, wanted: Wanted, ledger: string): Bundle['claim'] {
  if ('event' in wanted) return own.claim(ledger);
  if (!own.hasHead(wanted.oldSize)) throw new Failure('head_not_found', { ledger, size: wanted.oldSize });
  return { is: 'continuation', old_size: wanted.oldSize };
}
