// `lazarus roster cut-off|annotate`: a compromised key ends everywhere at once, and what it signed is judged.
import { knownProject } from '../../../app/project-fold.ts';
import { annotation } from '../../../app/threshold/annotate.ts';
import { planCutOff, rosterFingerprint, type Consequence } from '../../../app/threshold/cut-off.ts';
import { projectElectorate } from '../../../app/threshold/judge.ts';
import { Failure } from '../../../failure.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import { KeyFingerprint } from '../../../kernel/values.ts';
import type { Workbench } from '../../../app/workbench.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';
import { propose } from '../propose.ts';
import { whereTheyLive } from '../mission/home.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const cutOff = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await whereTheyLive(ctx, options, async (workspace) => {
      const { bench } = workspace;
      const project = await knownProject(bench);
      const { roster } = project.tip.state!;
      const typed = args.need('fingerprint');
      // A key that was rotated out is on no roster any more and can still be cut off, by its whole fingerprint.
      const fingerprint = KeyFingerprint.safeParse(typed).success ? typed : rosterFingerprint(roster, typed);
      const trusted = await trustedSizes(bench, options.list('trusted'));
      const plan = await planCutOff(bench, project, {
        fingerprint,
        trusted,
        distrustOthers: options.flag('distrustAll'),
      });
      const judged = { electorate: projectElectorate(project), ref: PROJECT_REF, project };
      await propose(ctx, workspace, options, {
        matter: { purpose: 'cut-off', document: plan.document },
        judged,
        question: `Cut off key ${fingerprint}? This cannot be taken back.`,
        consequences: plan.consequences.map(consequenceLine),
      });
    });
  },
};

export const annotate = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    await whereTheyLive(ctx, options, async (workspace) => {
      const { bench } = workspace;
      const ref = await bench.find(args.need('ledger'));
      const project = await knownProject(bench);
      const electorate = projectElectorate(project);
      const typed = args.need('fingerprint');
      const fingerprint = KeyFingerprint.safeParse(typed).success ? typed : rosterFingerprint(electorate.roster, typed);
      if (options.flag('accept') === options.flag('reject'))
        throw new Failure('usage', { expected: 'either --accept or --reject' });
      const judgement = options.flag('accept') ? ('accepted' as const) : ('rejected' as const);
      const range = { from: options.whole('from'), until: options.whole('until', 1) };
      const { document, tip } = unwrap(await annotation(bench, project, ref, { fingerprint, judgement, ...range }));
      const judged = { electorate, ref, project, tip };
      const question = `Say so for ${ledgerName(ref)}?`;
      await propose(ctx, workspace, options, { matter: { purpose: 'annotation', document }, judged, question });
    });
  },
};

async function trustedSizes(bench: Workbench, typed: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const word of typed) {
    const [, ledger, size] = /^([^=]+)=(\d{1,9})$/.exec(word) ?? [];
    if (ledger === undefined)
      throw new Failure('usage', { option: 'trusted', expected: '<ledger>=<size>', found: word });
    sizes.set(ledgerName(await bench.find(ledger)), Number(size));
  }
  return sizes;
}

function consequenceLine({ ledger, trusted, disowned }: Consequence): Line {
  if (disowned.length === 0) return `  ${ledger}: nothing it signed is disowned (trusted up to size ${trusted})`;
  const runs = disowned.map(({ from, until }) => (until - from === 1 ? String(from) : `${from}..${until - 1}`));
  return { text: `  ${ledger}: disowned until the roots judge them: events ${runs.join(', ')}`, style: 'yellow' };
}
