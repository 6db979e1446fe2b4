// `lazarus ledger repair|seal`: the way on for a ledger that a stranger wedged, and the end of one that is over.
import { repairDocument, type Damage } from '../../../app/repair.ts';
import { sealLedger } from '../../../app/seal.ts';
import { judgeDamage } from '../../../app/threshold/judge.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';
import { propose } from '../propose.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench } from '../workspace.ts';

export const repair = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await withWorkbench(ctx, options, async (workspace) => {
      const { bench } = workspace;
      const ref = await bench.findAnywhere(args.need('ledger'));
      const judged = unwrap(await judgeDamage(bench, ref));
      const document = repairDocument(bench, judged.damage);
      await propose(ctx, workspace, options, {
        matter: { purpose: 'repair', document },
        judged,
        question: `Go on with ${ledgerName(ref)} from there?`,
        consequences: await foreignLines(bench, judged.damage),
      });
    });
  },
};

export const seal = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await withWorkbench(ctx, options, async ({ app, bench }) => {
      const ref = await bench.find(args.need('ledger'));
      const project = await bench.project();
      const signer = await signerOf(app, options, project.tip.state!.roster);
      const name = ledgerName(ref);
      await agree(ctx, [`${name}: nothing can be appended to it any more, by anybody`], `Seal ${name} for ever?`);
      const { head } = unwrap(await sealLedger(bench, ref, signer, ref === PROJECT_REF ? undefined : project));
      const recorded = ref === PROJECT_REF ? [] : ['  its head is recorded in the project ledger'];
      ctx.out.emit([`sealed ${name}`, `  head  ${head.oid} (size ${head.size})`, ...recorded], { ledger: name, head });
    });
  },
};

const SHOWN_MAX = 5;

/** Who seems to have pushed what: claims of strangers, shown so that somebody can be asked. */
async function foreignLines(bench: Workbench, { because, foreignTip, tip, foreignCount }: Damage): Promise<Line[]> {
  const lines: Line[] = [`  refused because of ${because.code}, commit ${because.oid}`];
  for await (const { oid, body } of bench.parts.repository.history(foreignTip)) {
    if (oid === tip.oid || lines.length > SHOWN_MAX) break;
    const text = new TextDecoder().decode(body);
    const author = /^author (.*) \d+ [+-]\d{4}$/m.exec(text)?.[1] ?? 'unknown';
    const subject = text.split('\n\n', 2)[1]?.split('\n', 1)[0] ?? '';
    lines.push(`  ${oid.slice(0, 12)}  ${author.slice(0, 60)}  ${subject.slice(0, 60)}`);
  }
  if (foreignCount > lines.length - 1) lines.push(`  and ${foreignCount - lines.length + 1} more`);
  return lines;
}
