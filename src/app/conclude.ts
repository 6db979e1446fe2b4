// One transaction that ends or mends a ledger, and the project's record of the head it leads to: both references move
// together or not at all, so that no crash leaves a sealed ledger that the project never heard of.
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import { findSigner } from '../ledger/find-signer.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import { prepareTransaction, type Sealed } from '../ledger/transaction.ts';
import type { Signer } from '../ports/keys.ts';
import type { Change } from '../ports/repository.ts';
import { completeAll } from './draft.ts';
import { farCause } from './far-cause.ts';
import type { Workbench } from './workbench.ts';

export type Conclusion = {
  readonly ref: string;
  /** What the transaction goes on from. */
  readonly tip: Tip;
  /** Where the reference stands now: behind a repair, not where the tip is. */
  readonly old: Oid;
  readonly drafts: readonly EventDraft[];
  readonly signer: Signer;
  readonly because: 'repaired' | 'sealed';
  /** Missions: a newer project head to cite. */
  readonly project?: TreeHead;
};

export type Concluded = { readonly head: TreeHead; readonly recorded: TreeHead | undefined };

export async function conclude(bench: Workbench, conclusion: Conclusion): Promise<Verdict<Concluded>> {
  const sealed = await sealOne(bench, conclusion);
  if (sealed.is === 'refused') return sealed;
  const { ref, old } = conclusion;
  const head = headOf(sealed.value.tip);
  const change: Change = { objects: sealed.value.objects, updates: [{ ref, old, next: head.oid }] };
  if (ref !== PROJECT_REF) return record(bench, conclusion, sealed.value, change);
  await move(bench, ref, head.oid, change);
  return accept({ head, recorded: undefined });
}

async function sealOne({ parts }: Workbench, conclusion: Conclusion): Promise<Verdict<Sealed>> {
  const { tip, drafts, signer, project } = conclusion;
  const { crypto, ids, clock } = parts;
  const found = findSigner(crypto, tip, tip.state!.roster, signer.fingerprint, project ?? tip.project);
  if (found.is === 'refused') return found;
  const atSeconds = clock.nowSeconds();
  const fresh = drafts.map(() => ids.next());
  const drawn = {
    id: (position: number) => fresh[position]!,
    correlation: ids.next(),
    occurredAt: new Date(atSeconds * 1000).toISOString(),
  };
  const events = completeAll(drafts, found.value.member, drawn, tip.state);
  const cite = project === undefined ? {} : { project };
  const { fingerprint } = signer;
  const prepared = prepareTransaction(crypto, tip, { tx: ids.next(), events, fingerprint, atSeconds, ...cite });
  if (prepared.is === 'refused') return prepared;
  return accept(prepared.value.finish(await signer.sign(prepared.value.payload, atSeconds)));
}

/** Appends the record to the project ledger and takes the change along in the same push. */
async function record(
  bench: Workbench,
  { ref, tip, old, signer, because }: Conclusion,
  sealed: Sealed,
  change: Change,
): Promise<Verdict<Concluded>> {
  const head = headOf(sealed.tip);
  const { ledger_id, project_id } = tip.state!;
  const landed = await bench.session(PROJECT_REF, signer).submit({
    decide: () => {
      const cause = farCause(sealed);
      const about = { entity_type: 'mission', entity_id: ledger_id, task_id: project_id, cause } as const;
      return accept([{ event_type: 'tree_head.recorded', payload: { because, head, ledger_id }, ...about }]);
    },
    along: async () => {
      // Decided on what the ledger was: whoever moved it meanwhile must be heard before anything is said again.
      if ((await bench.place.head(ref)) !== old) throw new Failure('head_moved', { ref }, { retry: 'reload' });
      return change;
    },
  });
  return landed.is === 'refused' ? landed : accept({ head, recorded: landed.value.head });
}

async function move(bench: Workbench, ref: string, next: Oid, change: Change): Promise<void> {
  const outcome = await bench.place.move(change);
  if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
  if (outcome.is === 'landed' || (await bench.place.head(ref)) === next) return;
  if (outcome.is === 'moved') throw new Failure('head_moved', { ref }, { retry: 'reload' });
  throw new Failure('push_unknown', { ref }, { retry: 'later' });
}
