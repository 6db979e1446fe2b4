// The end of a ledger: nothing can be appended any more, and the project keeps the final tree head for the day when the
// branch is gone.
import { Failure } from '../failure.ts';
import type { Crypto } from '../format/crypto.ts';
import type { EventDraft } from '../kernel/draft.ts';
import { rosterDigest } from '../kernel/roster/roster.ts';
import type { RootSignature } from '../kernel/roster/threshold.ts';
import type { SealDocument } from '../kernel/trust/events.ts';
import { refuse, type Verdict } from '../kernel/verdict.ts';
import { ledgerName } from '../ledger/names.ts';
import type { Tip } from '../ledger/tip.ts';
import type { Signer } from '../ports/keys.ts';
import type { ProjectView } from './adoption.ts';
import { conclude, type Concluded } from './conclude.ts';
import type { Workbench } from './workbench.ts';

/** Judged by the project's newest roster: a mission adopts it in the transaction that seals it. */
export function sealDocument(crypto: Crypto, project: ProjectView, ledgerId: string): SealDocument {
  return { ledger_id: ledgerId, roster: rosterDigest(crypto, project.tip.state!.roster) };
}

export async function sealLedger(
  bench: Workbench,
  ref: string,
  signed: { readonly seal: SealDocument; readonly signatures: readonly RootSignature[] },
  by: { readonly signer: Signer; readonly project: ProjectView | undefined; readonly tip?: Tip | undefined },
): Promise<Verdict<Concluded>> {
  const { signer, project } = by;
  const tip = await bench.session(ref, signer, project, by.tip).tip();
  const { state, oid } = tip;
  if (state === undefined || oid === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  if (state.sealed) return refuse('ledger_sealed', { ledger: ledgerName(ref) });
  const about = { entity_type: 'ledger', entity_id: state.ledger_id, task_id: state.ledger_id } as const;
  const sealed: EventDraft = {
    event_type: 'ledger.sealed',
    payload: { seal: signed.seal, signatures: [...signed.signatures] },
    ...about,
  };
  return conclude(bench, { ref, tip, old: oid, drafts: [sealed], signer, because: 'sealed', project });
}
