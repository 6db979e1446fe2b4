// One transaction that ends or mends a ledger, and the project's record of the head it leads to: both references move
// together or not at all, so that no crash leaves a sealed ledger that the project never heard of.
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { Sealed } from '../ledger/transaction.ts';
import type { Signer } from '../ports/keys.ts';
import type { Change } from '../ports/repository.ts';
import type { ProjectView } from './adoption.ts';
import { contend } from './contend.ts';
import { farCause } from './far-cause.ts';
import { draw, seal } from './sealing.ts';
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
  /** Verified: where the head is recorded, and what a mission that is sealed takes over from and cites. */
  readonly project: ProjectView | undefined;
};

export type Concluded = { readonly head: TreeHead; readonly recorded: TreeHead | undefined };

export async function conclude(bench: Workbench, conclusion: Conclusion): Promise<Verdict<Concluded>> {
  const { ref, tip, old, drafts, signer, because, project } = conclusion;
  const { crypto, ids, clock } = bench.parts;
  // A repair stands alone in its transaction: it can adopt nothing, and cites the project head that was cited before.
  const cited = ref === PROJECT_REF || because === 'repaired' ? undefined : project;
  const author = { crypto, ids, signer: () => Promise.resolve(signer), project: cited };
  const sealed = await seal(author, tip, () => accept(drafts), draw(ids, clock));
  if (sealed.is === 'refused') return sealed;
  const head = headOf(sealed.value.tip);
  const change: Change = { objects: sealed.value.objects, updates: [{ ref, old, next: head.oid }] };
  if (ref !== PROJECT_REF) return record(bench, conclusion, sealed.value, change);
  await move(bench, conclusion, head.oid, change);
  return accept({ head, recorded: undefined });
}

/** Appends the record to the project ledger and takes the change along in the same push. */
async function record(
  bench: Workbench,
  { ref, tip, old, signer, because, project }: Conclusion,
  sealed: Sealed,
  change: Change,
): Promise<Verdict<Concluded>> {
  const head = headOf(sealed.tip);
  const { ledger_id, project_id } = tip.state!;
  const landed = await bench.session(PROJECT_REF, signer, project).submit({
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

/** Races as every writer does, but never decides again: it was decided on what the ledger was. */
async function move(bench: Workbench, { ref, tip, old }: Conclusion, next: Oid, change: Change): Promise<void> {
  const { place, parts } = bench;
  const contest = { push: (one: Change) => place.moveAhead(one), backOff: parts.backOff, ref, size: () => tip.size };
  await contend<void>(contest, async ({ attempt }) => {
    const head = attempt === 1 ? old : await place.head(ref);
    if (head === next) return { is: 'over', value: undefined };
    if (head !== old) throw new Failure('head_moved', { ref }, { retry: 'reload' });
    return { is: 'ready', change, landed: () => place.upToDate() };
  });
}
