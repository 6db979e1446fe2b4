// `lazarus propose` and `lazarus plan`: from a file to a mission with a plan and a digest; a plan anew after base, policy
// or roster moved. What cannot be planned is refused before the first event is written.
import { planMission } from '../../../app/mission/plan.ts';
import { typedHere, type SaidIn } from '../../../app/mission/said-in.ts';
import { computePlan } from '../../../app/mission/planning.ts';
import { proposeMission } from '../../../app/mission/propose.ts';
import { rulesAt } from '../../../app/mission/rules.ts';
import { baseCommit } from '../../../app/mission/target.ts';
import { actOn, type Acting } from '../../../app/mission/world.ts';
import { compose } from '../../../compose/app.ts';
import { readMissionFile } from '../../../documents/mission-file.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import type { Proposal } from '../../../kernel/proposal/proposal.ts';
import { ledgerName, missionRef } from '../../../ledger/names.ts';
import { REASONS } from '../../../reasons.ts';
import type { Context } from '../command.ts';
import { readNamed } from '../files.ts';
import { SETTING } from '../mission/acting.ts';
import { machineHere, personHere } from '../mission/keys.ts';
import { planJson, planRows, triedOut, type PlanShown } from '../mission/plan-text.ts';
import { about, atMission, inProject, seen, seenBy, type Site } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { indented, planLines, viewJson } from '../mission/view-text.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const propose = {
  async run(ctx: Context, args: Values, options: Values): Promise<number> {
    if (options.flag('example')) return tellShipped(ctx, 'mission.yaml');
    if (options.flag('schema')) return tellSchema(ctx);
    const { text, proposal } = await readFile(ctx, args.need('file'));
    return inProject(ctx, options, async (site) => {
      const mission = (await revised(site)) ?? site.app.ids.next();
      const shown = triedOut(await tryOut(site, mission, proposal));
      if (options.flag('dryRun')) return tellTried(ctx, shown);
      const machine = await machineHere(site);
      const acting = actOn(site.world, missionRef(mission), await personHere(site));
      const wanted = {
        proposal,
        mission,
        raw: utf8(text),
        rawMediaType: 'application/yaml',
        proposers: [{ forge_user_id: null, principal_id: acting.principal }],
        forge: null,
        channel: 'cli',
      } as const;
      unwrap(await proposeMission(site.world, acting.signer, wanted));
      return planAndTell(site, actOn(site.world, acting.ref, machine));
    });
  },
};

export const plan = {
  run: (ctx: Context, args: Values, options: Values): Promise<number> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) =>
      planAndTell(site, actOn(site.world, site.ref, await machineHere(site)), typedHere('plan')),
    ),
};

/** For somebody who begins with `lazarus propose --example > mission.yaml`. */
async function tellSchema(ctx: Context): Promise<number> {
  const { missionSchemaText } = await import('../../../documents/mission-file.ts');
  const text = missionSchemaText();
  ctx.out.emit(text.trimEnd().split('\n'), { name: 'mission.schema.json', text });
  return 0;
}

async function tellShipped(ctx: Context, name: string): Promise<number> {
  const text = fromUtf8(await compose(ctx).template(name));
  ctx.out.emit(text.trimEnd().split('\n'), { name, text });
  return 0;
}

async function readFile(ctx: Context, file: string): Promise<{ readonly text: string; readonly proposal: Proposal }> {
  const text = await readNamed(ctx, file);
  // What is kept must be what was read.
  if (text.includes('\ufffd')) throw new Failure('mission_file_invalid', { file, why: 'is not UTF-8' });
  return { text, proposal: unwrap(readMissionFile(text, file)) };
}

/** The mission that this is a new revision of, where one was named. */
async function revised(site: Site): Promise<string | undefined> {
  const typed = site.options.text('revise');
  if (typed === undefined) return undefined;
  const ref = await site.bench.find(typed);
  return (await seen({ ...site, ref, name: ledgerName(ref) })).state.ledger_id;
}

/** So that a mission which cannot be planned is never begun. */
async function tryOut({ bench, world }: Site, mission: string, proposal: Proposal) {
  const base = await baseCommit(bench, proposal.base);
  const rules = await rulesAt(world, base);
  return unwrap(computePlan(bench.parts.crypto, { mission, proposal, base, rules, setting: SETTING, attemptNo: 1 }));
}

function tellTried(ctx: Context, shown: PlanShown): number {
  ctx.out.emit(['Nothing was proposed; this is what would be:', ...indented(planRows(shown))], {
    dry_run: true,
    plan: planJson(shown),
  });
  return 0;
}

async function planAndTell({ ctx, world }: Site, acting: Acting, saidIn?: SaidIn): Promise<number> {
  return about(ledgerName(acting.ref), async () => {
    unwrap(await planMission(acting, SETTING, saidIn));
    const view = await viewOf({ world, ref: acting.ref }, await seenBy(acting));
    ctx.out.emit(planLines(view), viewJson(view));
    return view.status.state === 'invalid' ? REASONS.policy_refused.exit : 0;
  });
}
