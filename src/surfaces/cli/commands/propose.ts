// `lazarus propose` and `lazarus plan`: from a file to a mission with a plan and a digest; a plan anew after base, policy
// or roster moved. What cannot be planned is refused before the first event is written.
import { planMission, planOf } from '../../../app/mission/plan.ts';
import { typedHere, type SaidIn } from '../../../app/mission/said-in.ts';
import { proposeMission } from '../../../app/mission/propose.ts';
import type { Setting } from '../../../app/mission/planning.ts';
import { rulesAt } from '../../../app/mission/rules.ts';
import { baseCommit, fileAt } from '../../../app/mission/target.ts';
import { actOn, type Acting } from '../../../app/mission/world.ts';
import { compose } from '../../../compose/app.ts';
import { readMissionFile } from '../../../documents/mission-file.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import { BUDGET_MINUTES, type Proposal } from '../../../kernel/proposal/proposal.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { REASONS } from '../../../reasons.ts';
import type { Context } from '../command.ts';
import { readNamed } from '../files.ts';
import { SETTING } from '../mission/acting.ts';
import { machineHere, personHere } from '../mission/keys.ts';
import { planJson, planRows, triedOut, type PlanShown } from '../mission/plan-text.ts';
import { FILE_THE_FORM, isOnForge } from '../mission/forge-home.ts';
import { askGate } from '../mission/saying.ts';
import { about, atMission, brought, inProject, seen, seenBy, type Site } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { indented, planLines, viewJson } from '../mission/view-text.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const propose = {
  async run(ctx: Context, args: Values, options: Values): Promise<number> {
    if (options.flag('example')) return tellShipped(ctx, 'mission.yaml');
    if (options.flag('schema')) return tellSchema(ctx);
    const isShort = SHORT.some((name) => options.text(name) !== undefined);
    const file = isShort ? undefined : await readFile(ctx, args.need('mission'));
    return inProject(ctx, options, async (site) => {
      const { text, proposal } = file ?? (await inOneLine(site, args.need('mission')));
      const mission = (await revised(site)) ?? site.app.ids.next();
      const onForge = await isOnForge(site);
      const shown = triedOut(await tryOut(site, mission, proposal, onForge ? ON_FORGE : SETTING), site.project);
      if (options.flag('dryRun')) return tellTried(ctx, shown);
      if (onForge) throw new Failure('forge_runs_it', { command: 'propose' }, { next: FILE_THE_FORM });
      const machine = await machineHere(site);
      const wanted = { proposal, mission, raw: utf8(text), rawMediaType: 'application/yaml' };
      const { acting } = unwrap(await proposeMission(site.world, await personHere(site), wanted));
      return planAndTell(site, actOn(site.world, acting.ref, machine));
    });
  },
};

export const plan = {
  run: (ctx: Context, args: Values, options: Values): Promise<number | void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) =>
      (await isOnForge(site))
        ? askGate(site, '/plan')
        : planAndTell(site, actOn(site.world, site.ref, await machineHere(site)), typedHere('plan')),
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

/** As the gate would plan it, in an issue that nobody has filed yet. */
const ON_FORGE: Setting = { forge: { issue: 0 }, tierMax: 1 };

/** Whoever says one of these says the goal in words, and not where a file lies. */
const SHORT = ['owns', 'agent', 'verify', 'check'] as const;
const BRANCHES = ['main', 'master'] as const;

type Written = { readonly text: string; readonly proposal: Proposal };

/** The same mission that a file would open, and the file it would have been is what is kept. */
async function inOneLine({ bench, world, options }: Site, goal: string): Promise<Written> {
  const { missionFileText, TESTED_BY, verifyCommandOf } = await import('../../../documents/short-mission.ts');
  const owns = (options.text('owns') ?? '').split(',').filter((glob) => glob !== '');
  if (owns.length === 0) throw new Failure('usage', { missing: '--owns', expected: 'paths that may change' });
  const base = options.text('base') ?? (await firstBranch(bench));
  const commit = await baseCommit(bench, base);
  const agent = options.text('agent') ?? onlyAgent((await rulesAt(world, commit)).policy.profile.agents);
  const told = options.text('verify');
  const verify = told ?? verifyCommandOf(await textsAt(bench, commit, TESTED_BY));
  if (verify === undefined)
    throw new Failure('usage', { missing: '--verify', why: 'no file of the base says how the project is tested' });
  const minutes = options.whole('minutes', 1) ?? BUDGET_MINUTES;
  const tier = options.whole('tier') ?? 1;
  const checks = options.list('check');
  const purpose = options.text('purpose') ?? '';
  const text = missionFileText({ goal, agent, owns, verify, checks, base, tier, minutes, purpose });
  return { text, proposal: unwrap(readMissionFile(text, 'the command line')) };
}

async function firstBranch({ place }: Site['bench']): Promise<string> {
  for (const branch of BRANCHES) if ((await place.head(`refs/heads/${branch}`)) !== undefined) return branch;
  throw new Failure('usage', { missing: '--base', why: `there is neither ${BRANCHES.join(' nor ')}` });
}

function onlyAgent(agents: Readonly<Record<string, unknown>>): string {
  const [first, ...others] = Object.keys(agents);
  if (first !== undefined && others.length === 0) return first;
  throw new Failure('usage', { missing: '--agent', known: Object.keys(agents).sort() });
}

async function textsAt<Name extends string>(
  bench: Site['bench'],
  commit: string,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const bytes = await fileAt(bench, commit, name);
    if (bytes !== undefined) texts[name] = Buffer.from(bytes).toString('utf8');
  }
  return texts;
}

async function readFile(ctx: Context, file: string): Promise<Written> {
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
  await brought(site, ref);
  return (await seen({ ...site, ref, name: ledgerName(ref) })).state.ledger_id;
}

/** So that a mission which cannot be planned is never begun. */
async function tryOut({ world }: Site, mission: string, proposal: Proposal, setting: Setting) {
  return unwrap(await planOf(world, { mission, proposal, setting, attemptNo: 1 }));
}

function tellTried(ctx: Context, shown: PlanShown): number {
  ctx.out.emit(['Nothing was proposed; this is what would be:', ...indented(planRows(shown))], {
    dry_run: true,
    plan: planJson(shown),
  });
  return 0;
}

export async function planAndTell({ ctx, world, home }: Site, acting: Acting, saidIn?: SaidIn): Promise<number> {
  return about(ledgerName(acting.ref), async () => {
    unwrap(await planMission(acting, SETTING, saidIn));
    const view = await viewOf({ world, home, ref: acting.ref }, await seenBy(acting));
    ctx.out.emit(planLines(view), viewJson(view));
    return view.status.state === 'invalid' ? REASONS.policy_refused.exit : 0;
  });
}
