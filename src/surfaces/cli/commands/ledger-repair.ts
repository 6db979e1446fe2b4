// `lazarus ledger repair|seal`: the way on for a ledger that a stranger wedged, and the end of one that is over.
import type { ProjectView } from '../../../app/adoption.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { repairDocument, type Damage } from '../../../app/repair.ts';
import { sealDocument } from '../../../app/seal.ts';
import { judgeDamage, projectElectorate } from '../../../app/threshold/judge.ts';
import { refuseFlawed, type Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import type { Tip } from '../../../ledger/tip.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';
import { propose } from '../propose.ts';
import type { Values } from '../values.ts';
import { unwrap, withWorkbench } from '../workspace.ts';

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
    await withWorkbench(ctx, options, async (workspace) => {
      const { bench } = workspace;
      const ref = await bench.find(args.need('ledger'));
      const name = ledgerName(ref);
      const project = await knownProject(bench);
      const tip = ref === PROJECT_REF ? project.tip : await missionTip(bench, ref, project);
      const { sealed, ledger_id } = tip.state!;
      if (sealed) throw new Failure('ledger_sealed', { ledger: name });
      const document = sealDocument(bench.parts.crypto, project, ledger_id);
      await propose(ctx, workspace, options, {
        matter: { purpose: 'seal', document },
        judged: { electorate: projectElectorate(project), ref, project, tip },
        question: `Seal ${name} for ever?`,
        consequences: ref === PROJECT_REF ? [] : ['  its head is recorded in the project ledger'],
      });
    });
  },
};

async function missionTip(bench: Workbench, ref: string, project: ProjectView): Promise<Tip> {
  const { report, tip } = await bench.verify(ref, 'since-pin', { project, skipsProject: true });
  refuseFlawed(report);
  return tip;
}

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
