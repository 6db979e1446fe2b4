// Threshold documents in tests: drafted, signed and applied by the same steps as a person's commands take.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { sealDocument } from '../../src/app/seal.ts';
import { applyDraft } from '../../src/app/threshold/apply.ts';
import { signMatter, tallyOf } from '../../src/app/threshold/electorate.ts';
import { judge, projectElectorate } from '../../src/app/threshold/judge.ts';
import { nextRoster, type RosterChange } from '../../src/app/threshold/roster-change.ts';
import { draftOf, withSignature, type Matter, type ThresholdDraft } from '../../src/app/threshold/threshold-draft.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { parsePublicKey } from '../../src/format/openpgp/public-key.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { agreed, type TestKey } from './people.ts';
import { taken } from './taken.ts';

/** The roster after a change, signed by one person. */
export async function drafted(bench: Workbench, change: RosterChange, by: TestKey): Promise<ThresholdDraft> {
  const document = taken(nextRoster(nodeCrypto, projectElectorate(await bench.project()), change));
  return signed(bench, draftOf({ purpose: 'roster', document }), by);
}

export async function signed(bench: Workbench, draft: ThresholdDraft, by: TestKey): Promise<ThresholdDraft> {
  const { electorate } = taken(await judge(bench, matterOf(draft)));
  taken(tallyOf(nodeCrypto, electorate, draft));
  return withSignature(
    draft,
    taken(await signMatter(electorate, matterOf(draft), { signer: by, atSeconds: 1_800_000_000 })),
  );
}

export async function applied(bench: Workbench, draft: ThresholdDraft, by: TestKey) {
  const judged = await judge(bench, matterOf(draft));
  return judged.is === 'refused' ? judged : applyDraft(bench, draft, judged.value, by);
}

/** The seal of a ledger, as its roots sign it. */
export async function signedSeal(bench: Workbench, ref: string, roots: readonly TestKey[]) {
  const project = await bench.project();
  const { tip } = await bench.verify(ref, 'full', ref === PROJECT_REF ? {} : { project });
  const seal = sealDocument(nodeCrypto, project, tip.state!.ledger_id);
  return agreed(roots, 'seal', seal);
}

export function matterOf({ purpose, document }: ThresholdDraft): Matter {
  return { purpose, document } as Matter;
}

export function publicKey(key: TestKey) {
  return parsePublicKey(key.publicKey, nodeCrypto);
}
