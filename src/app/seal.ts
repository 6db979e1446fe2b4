// The end of a ledger: nothing can be appended any more, and the project keeps the final tree head for the day when the
// branch is gone.
import { Failure } from '../failure.ts';
import type { EventDraft } from '../kernel/draft.ts';
import { refuse, type Verdict } from '../kernel/verdict.ts';
import { ledgerName } from '../ledger/names.ts';
import type { Signer } from '../ports/keys.ts';
import { adoptions, type ProjectView } from './adoption.ts';
import { conclude, type Concluded } from './conclude.ts';
import type { Workbench } from './workbench.ts';

/** `project` is undefined for the project ledger itself. */
export async function sealLedger(
  bench: Workbench,
  ref: string,
  signer: Signer,
  project: ProjectView | undefined,
): Promise<Verdict<Concluded>> {
  const tip = await bench.session(ref, signer, project).tip();
  const { state, oid } = tip;
  if (state === undefined || oid === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  if (state.sealed) return refuse('ledger_sealed', { ledger: ledgerName(ref) });
  const about = { entity_type: 'ledger', entity_id: state.ledger_id, task_id: state.ledger_id } as const;
  const sealed: EventDraft = { event_type: 'ledger.sealed', payload: {}, ...about };
  const owed = state.kind === 'mission' && project !== undefined ? adoptions(state, project) : [];
  const cite = project === undefined ? {} : { project: project.newest(tip.project) };
  return conclude(bench, { ref, tip, old: oid, drafts: [...owed, sealed], signer, because: 'sealed', ...cite });
}
