// `lazarus run` and `lazarus reconcile`: what a mission waits for, done as far as this computer may. Without enough
// approvals nothing runs, and the line to type is said.
import { incomingHeads, sweepIncoming } from '../../../app/mission/incoming.ts';
import { sweepKept } from '../../../app/mission/kept.ts';
import type { Running } from '../../../app/mission/run.ts';
import { missionsAnywhere } from '../../../app/bring.ts';
import { Failure } from '../../../failure.ts';
import { ledgerName } from '../../../ledger/names.ts';
import type { ReasonCode } from '../../../reasons.ts';
import { REASONS } from '../../../reasons.ts';
import type { Context } from '../command.ts';
import { goOn, HEALING, WHOLE_WAY } from '../mission/acting.ts';
import { NOBODY_FREED, watchPaths, type Freed } from '../mission/freed.ts';
import { isOnForge, refuseOnForge, wake } from '../mission/forge-home.ts';
import { about, atMission, brought, inProject, seen, seenBy, type MissionSite, type Site } from '../mission/site.ts';
import { watchedCells, toldOutput } from '../mission/watched-cells.ts';
import { viewOf, type View } from '../mission/view.ts';
import { statusLines, viewJson, whyLines } from '../mission/view-text.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { isSettling, settleBy, wordOf } from './settle.ts';

export const run = {
  run: (ctx: Context, args: Values, options: Values): Promise<number> =>
    // Appending goes on after Ctrl-C: what was begun is handed over, not left open.
    atMission(
      { ...ctx, signal: new AbortController().signal },
      { typed: args.need('mission'), options },
      async (site) => {
        await refuseOnForge(site, 'run');
        return runMission(ctx, site);
      },
    ),
};

async function runMission(ctx: Context, site: MissionSite): Promise<number> {
  const before = await viewOf(site, await seenBy({ ref: site.ref, desk: site.world.missions.at(site.ref) }));
  if (
    before.step.is === 'people' ||
    before.step.is === 'over' ||
    before.step.is === 'expire' ||
    before.step.is === 'held'
  )
    return tellResult(ctx, before);
  const { step } = before;
  if ((step.is === 'plan' || step.is === 'ask') && step.because !== undefined)
    ctx.out.note(`${step.because}: ${REASONS[step.because].says}`);
  await sweepKept(site.bench);
  const freed = watchPaths(site);
  const output = toldOutput((line) => ctx.out.note(line));
  const running = await runningHere(ctx, site, (chunk) => output.take(chunk));
  const gone = await goOn(site, {
    may: WHOLE_WAY,
    running,
    onPoint: (step) => {
      // What has failed is ended all the same.
      if (ctx.signal.aborted && Object.hasOwn(STEPS, step) && step !== 'end') throw new Failure('interrupted');
      const words = STEPS[step];
      if (words !== undefined) ctx.out.note(words);
    },
  });
  output.end();
  const after = await viewOf(site, await seenBy(gone.acting));
  if (ctx.signal.aborted) throw new Failure('interrupted', { mission: site.name, state: after.status.state });
  return tellResult(ctx, after, await freed());
}

const STEPS: Readonly<Record<string, string>> = {
  plan: 'planning',
  grant: 'claiming its paths',
  ask: 'asking people again',
  recover: 'taking over from a run that was broken off',
  end: 'ending what failed or was called off',
  expire: 'ending what was approved, or asked, too long ago',
  cell: 'preparing a cell',
  deliver: 'delivering the work',
  observe: 'looking what became of effects that were begun',
};

async function runningHere(
  ctx: Context,
  { bench }: Site,
  onOutput: NonNullable<Running['onOutput']>,
): Promise<Running> {
  const { runningOf } = await import('../../../compose/missions.ts');
  const running = await runningOf(bench, { env: ctx.env });
  // Of a run that was killed: its work is nobody's any more.
  await running.cells.sweep();
  const cells = watchedCells(running.cells, (line) => ctx.out.note(line), ctx.signal);
  const onPoint = (step: string): void => {
    if (step === 'cancelled') ctx.out.note('cancelled: the cell was closed, and what came of it is left');
  };
  return { ...running, cells, onOutput, onPoint };
}

/** The exit code says which of done, waiting for people, in somebody's way, and failed it is. */
function tellResult(ctx: Context, view: View, { lines, missions }: Freed = NOBODY_FREED): number {
  const waiting = waitingFor(view);
  if (waiting !== undefined) throw waiting;
  ctx.out.emit([...statusLines(view), ...lines], { ...viewJson(view), freed: missions });
  const { because, state } = view.status;
  if (state === 'done') return 0;
  return because !== null && Object.hasOwn(REASONS, because.code) ? REASONS[because.code as ReasonCode].exit : 1;
}

function waitingFor({ status, step, next, state }: View): Failure | undefined {
  const { mission, asked } = status;
  const told = next.type === null ? {} : { next: next.type };
  const approved = Object.values(state.course?.approvals ?? {});
  if (step.is === 'grant')
    return new Failure('path_claimed', { mission, held_by: status.waitsFor ?? 'another mission' }, told);
  if (step.is === 'expire') return new Failure('approval_expired', { mission }, told);
  if (step.is === 'held') return new Failure('mission_held', { mission, by: step.by }, told);
  if (step.is === 'busy')
    return new Failure('mission_running', { mission, holder: step.holder, until: step.until }, told);
  if (step.is !== 'people') return undefined;
  if (status.state === 'invalid') return new Failure('policy_refused', { mission }, told);
  if (status.state === 'rejected') return new Failure('rejected', { mission }, told);
  if (asked === null || approved.length === 0) return new Failure('plan_missing', { mission }, told);
  const code = asked.scope === 'effects' ? 'effects_approval_missing' : 'quorum_missing';
  return new Failure(code, { mission, missing: asked.missing, from: asked.from }, told);
}

export const reconcile = {
  run: async (ctx: Context, args: Values, options: Values): Promise<number | void> => {
    // Before anything is opened: what is missing of the word is said.
    const word = isSettling(args, options) ? await wordOf(ctx, args, options) : undefined;
    const { sweepCells } = await import('../../../compose/sweep.ts');
    await sweepCells(ctx.env, (line) => ctx.out.note(line));
    if (word === undefined && args.text('mission') === undefined)
      return inProject(ctx, options, (site) => healAll(ctx, site));
    return atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      if (word !== undefined) await settleBy(ctx, site, word);
      if (await isOnForge(site)) return leftToForge(site);
      const freed = watchPaths(site);
      const { view, took } = await heal(site);
      const { lines, missions } = await freed();
      ctx.out.emit([tookLine(took), ...whyLines(view), ...lines], { ...viewJson(view), took, freed: missions });
    });
  },
};

/** Healing takes the keys of its jobs: they are asked to look, and how it stands now is told. */
async function leftToForge(site: MissionSite): Promise<void> {
  await wake(site);
  const view = await viewOf(site, await seen(site));
  site.ctx.out.emit(whyLines(view), { ...viewJson(view), took: [] });
}

type Healed = { readonly view: View; readonly took: readonly string[]; readonly attempts: readonly string[] };

async function heal(site: MissionSite): Promise<Healed> {
  const { acting, took } = await goOn(site, { may: HEALING });
  const { attempts } = await acting.desk.told();
  return { view: await viewOf(site, await seenBy(acting)), took, attempts: attempts.map(({ id }) => id) };
}

/** One that cannot be helped now is named with its reason, and holds up no other. */
async function healAll(ctx: Context, site: Site): Promise<number> {
  if (await isOnForge(site)) {
    await wake(site);
    ctx.out.emit(['the jobs of the forge look at every mission; how they stand now:', '  next: lazarus list'], {
      missions: [],
    });
    return 0;
  }
  await sweepKept(site.bench);
  const incoming = await incomingHeads(site.bench);
  const open = new Set<string>();
  let areAllRead = true;
  const refs = await missionsAnywhere(site.bench);
  const lines: Line[] = [];
  const told = [];
  let exit = 0;
  for (const ref of refs) {
    const name = ledgerName(ref);
    try {
      const { view, took, attempts } = await about(name, async () => {
        await brought(site, ref);
        return heal({ ...site, ref, name });
      });
      if (view.step.is !== 'over') for (const id of attempts) open.add(id);
      if (took.length > 0 || view.step.is !== 'over') lines.push(tookLine(took), ...whyLines(view));
      told.push({ mission: name, state: view.status.state, took, next: view.next.type });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      areAllRead = false;
      lines.push([{ text: `${name}  ${error.code}`, style: 'red' }, `: ${REASONS[error.code].says}`]);
      if (error.next !== undefined) lines.push(`  next: ${error.next}`);
      told.push({ mission: name, error: error.code });
      exit = Math.max(exit, REASONS[error.code].exit);
    }
  }
  // Whose attempts nobody could read, their work may be needed.
  if (areAllRead) await sweepIncoming(site.bench, incoming, open);
  ctx.out.emit(lines.length === 0 ? ['nothing is owed'] : lines, { missions: told });
  return exit;
}

function tookLine(took: readonly string[]): Line {
  return took.length === 0 ? 'nothing was owed' : `done: ${took.map((step) => STEPS[step] ?? step).join(', ')}`;
}
