// Appends a document that enough roots signed to the ledger it is for. Where signatures are missing it says whose.
import type { EventDraft } from '../../kernel/draft.ts';
import { refuse, type Verdict } from '../../kernel/verdict.ts';
import { accept } from '../../kernel/verdict.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import { repairLedger } from '../repair.ts';
import { sealLedger } from '../seal.ts';
import type { Workbench } from '../workbench.ts';
import { tallyOf } from './electorate.ts';
import type { Judged } from './judge.ts';
import type { ThresholdDraft } from './threshold-draft.ts';

export type Applied = { readonly ledger: string; readonly head: TreeHead };

export async function applyDraft(
  bench: Workbench,
  draft: ThresholdDraft,
  judged: Judged,
  signer: Signer,
): Promise<Verdict<Applied>> {
  const standing = tallyOf(bench.parts.crypto, judged.electorate, draft);
  if (standing.is === 'refused') return standing;
  const { isMet, threshold, signed, missing } = standing.value;
  if (!isMet) return refuse('threshold_not_met', { threshold, signed, missing });
  const ledger = ledgerName(judged.ref);
  const { project, tip } = judged;
  if (draft.purpose === 'repair') {
    const { document: repair, signatures } = draft;
    const repaired = await repairLedger(bench, judged.damage!, { repair, signatures }, { signer, project });
    return repaired.is === 'refused' ? repaired : accept({ ledger, head: repaired.value.head });
  }
  if (draft.purpose === 'seal') {
    const { document: seal, signatures } = draft;
    const sealed = await sealLedger(bench, judged.ref, { seal, signatures }, { signer, project, tip });
    return sealed.is === 'refused' ? sealed : accept({ ledger, head: sealed.value.head });
  }
  const session = bench.session(judged.ref, signer, project, tip);
  const landed = await session.submit({ decide: (state) => accept([eventOf(draft, state!)]) });
  return landed.is === 'refused' ? landed : accept({ ledger, head: landed.value.head });
}

type Ids = { readonly ledger_id: string; readonly project_id: string };

function eventOf(
  draft: Exclude<ThresholdDraft, { purpose: 'repair' | 'seal' }>,
  { ledger_id, project_id }: Ids,
): EventDraft {
  const signatures = [...draft.signatures];
  const about = { entity_type: 'roster', entity_id: project_id, task_id: project_id } as const;
  switch (draft.purpose) {
    case 'roster':
      return { event_type: 'roster.updated', payload: { roster: draft.document, signatures }, ...about };
    case 'cut-off':
      return { event_type: 'key.cut_off', payload: { cut_off: draft.document, signatures }, ...about };
    case 'annotation':
      return {
        event_type: 'trust.annotated',
        payload: { annotation: draft.document, signatures },
        entity_type: 'ledger',
        entity_id: ledger_id,
        task_id: ledger_id,
      };
  }
}
