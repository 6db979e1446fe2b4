// `lazarus roster sign|apply`: a draft that arrived as a file, shown in words before it is signed, appended once enough
// have signed. Also for cut-offs, repairs and annotations: what is inside says which.
import { signMatter, tallyOf } from '../../../app/threshold/electorate.ts';
import {
  decodeDraft,
  encodeDraft,
  mergeDrafts,
  withSignature,
  type Matter,
  type ThresholdDraft,
} from '../../../app/threshold/threshold-draft.ts';
import { Failure } from '../../../failure.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import { readNamed, replaceFile, writeNew } from '../files.ts';
import { append, judgeDraft, tellDraft } from '../propose.ts';
import { matterLines } from '../roster-text.ts';
import { whereTheyLive } from '../mission/home.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap } from '../workspace.ts';

export const sign = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await whereTheyLive(ctx, options, async (workspace) => {
      const { app, bench } = workspace;
      const file = args.need('draft');
      const draft = unwrap(decodeDraft(await readNamed(ctx, file)));
      const judged = await judgeDraft(workspace, draft);
      const { electorate } = judged;
      // Checked before anything is added: nobody should put their name beside a forged one.
      const before = unwrap(tallyOf(bench.parts.crypto, electorate, draft));
      const signer = await signerOf(app, options, electorate.roster);
      const signedBy = `signed so far by ${before.signed.join(', ') || 'nobody'}; ${before.threshold} must sign`;
      await agree(ctx, [...matterLines(draft, electorate.roster), signedBy], `Sign this ${draft.purpose}?`);
      const atSeconds = app.clock.nowSeconds();
      const matter = { purpose: draft.purpose, document: draft.document } as Matter;
      const signature = unwrap(await signMatter(electorate, matter, { signer, atSeconds }));
      const signed = withSignature(draft, signature);
      const out = options.text('out');
      if (out === undefined && file === '-') throw new Failure('usage', { missing: 'out', file });
      if (out === undefined) await replaceFile(ctx, file, encodeDraft(signed));
      else await writeNew(ctx, out, encodeDraft(signed));
      tellDraft(ctx, out ?? file, signed, unwrap(tallyOf(bench.parts.crypto, electorate, signed)));
    });
  },
};

export const apply = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await whereTheyLive(ctx, options, async (workspace) => {
      const drafts: ThresholdDraft[] = [];
      for (const file of args.list('drafts')) drafts.push(unwrap(decodeDraft(await readNamed(ctx, file))));
      const [first, ...others] = drafts;
      if (first === undefined) throw new Failure('usage', { missing: 'drafts' });
      const draft = unwrap(mergeDrafts(first, others));
      const judged = await judgeDraft(workspace, draft);
      for (const line of matterLines(draft, judged.electorate.roster)) ctx.out.note(line);
      const signer = await signerOf(workspace.app, options, judged.electorate.roster);
      await append(ctx, workspace, options, { draft, judged, signer });
    });
  },
};
