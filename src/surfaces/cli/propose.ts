// What all commands with threshold documents share: sign; append at once when that is enough, else write a draft that
// travels to the others. Translates and prints; who must sign what is the kernel's and the use cases' matter.
import { applyDraft } from '../../app/threshold/apply.ts';
import { signMatter, tallyOf, type Tally, rootRisk, electorateOf } from '../../app/threshold/electorate.ts';
import { adoptEverywhere, type Adopted } from '../../app/threshold/everywhere.ts';
import { judge, type Judged } from '../../app/threshold/judge.ts';
import {
  draftOf,
  encodeDraft,
  withSignature,
  type Matter,
  type ThresholdDraft,
} from '../../app/threshold/threshold-draft.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import { agree } from './ask.ts';
import type { Context } from './command.ts';
import { writeNew } from './files.ts';
import type { Line } from './output.ts';
import { matterLines, riskLine } from './roster-text.ts';
import type { Values } from './values.ts';
import { signerOf, unwrap, type Workspace } from './workspace.ts';

export type Proposal = {
  readonly matter: Matter;
  readonly judged: Judged;
  /** Asked before signing; changes that can be undone by another change ask nothing. */
  readonly question?: string;
  /** Said in addition to what the document itself says. */
  readonly consequences?: readonly Line[];
};

export async function propose(ctx: Context, workspace: Workspace, options: Values, proposal: Proposal): Promise<void> {
  const { app, bench } = workspace;
  const { matter, judged, question, consequences = [] } = proposal;
  const lines = [...matterLines(matter, judged.electorate.roster), ...consequences];
  unwrap(tallyOf(bench.parts.crypto, judged.electorate, draftOf(matter)));
  const signer = await signerOf(app, options, judged.electorate.roster);
  if (question === undefined) for (const line of lines) ctx.out.note(line);
  else await agree(ctx, lines, question);
  const atSeconds = app.clock.nowSeconds();
  const signature = unwrap(await signMatter(judged.electorate, matter, { signer, atSeconds }));
  const draft = withSignature(draftOf(matter), signature);
  const standing = unwrap(tallyOf(bench.parts.crypto, judged.electorate, draft));
  const out = options.text('out');
  if (standing.isMet && out === undefined) return append(ctx, workspace, options, { draft, judged, signer });
  const path = out ?? fileName(matter, judged);
  await writeNew(ctx, path, encodeDraft(draft));
  tellDraft(ctx, path, draft, standing);
}

/** Appends a draft with enough signatures, and carries what it changes about keys into the open missions. */
export async function append(
  ctx: Context,
  { bench }: Workspace,
  options: Values,
  { draft, judged, signer }: { readonly draft: ThresholdDraft; readonly judged: Judged; readonly signer: Signer },
): Promise<void> {
  const { ledger, head } = unwrap(await applyDraft(bench, draft, judged, signer));
  const changesKeys = draft.purpose === 'roster' || draft.purpose === 'cut-off';
  const lines: Line[] = [`${draft.purpose} appended to ${ledger}`, `  head  ${head.oid} (size ${head.size})`];
  let adopted: readonly Adopted[] = [];
  const { project } = judged;
  if (changesKeys && project !== undefined) {
    if (options.flag('everywhere')) adopted = await adoptEverywhere(bench, project, signer);
    ctx.out.note(riskLine(rootRisk(electorateOf(project.tip.state!, project.tip.size))));
  }
  lines.push(...adopted.map(adoptedLine));
  ctx.out.emit(lines, { appended: true, purpose: draft.purpose, ledger, head, adopted });
}

export function tellDraft(ctx: Context, path: string, draft: ThresholdDraft, standing: Tally): void {
  const { signed, missing, threshold, isMet } = standing;
  const next = isMet
    ? `enough have signed: lazarus roster apply ${path}`
    : `${threshold - signed.length} more of ${missing.join(', ')}: lazarus roster sign ${path}`;
  ctx.out.emit(
    [
      `draft written to ${path}`,
      `  signed by ${signed.join(', ') || 'nobody'} (threshold ${threshold})`,
      `  next: ${next}`,
    ],
    { appended: false, purpose: draft.purpose, draft: path, signed, missing, threshold, is_met: isMet },
  );
}

/** The document of a draft, held against the ledger as it stands now. */
export async function judgeDraft({ bench }: Workspace, { purpose, document }: ThresholdDraft): Promise<Judged> {
  return unwrap(await judge(bench, { purpose, document } as Matter));
}

function adoptedLine({ ledger, is }: Adopted): Line {
  if (is === 'adopted') return `  adopted in ${ledger}`;
  return { text: `  not adopted in ${ledger}: ${is}`, style: 'yellow' };
}

/** In the folder where the command runs: the file is made to be handed on. */
function fileName(matter: Matter, { ref }: Judged): string {
  switch (matter.purpose) {
    case 'roster':
      return `roster-${matter.document.n}.draft.json`;
    case 'cut-off':
      return `cut-off-${matter.document.fingerprint.slice(0, 8).toLowerCase()}.draft.json`;
    case 'annotation':
      return `annotation-${ledgerName(ref)}-${matter.document.from}.draft.json`;
    case 'seal':
      return `seal-${ledgerName(ref)}.draft.json`;
    case 'repair':
      return `repair-${ledgerName(ref)}.draft.json`;
  }
}
