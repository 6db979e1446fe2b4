// `lazarus status`, `why` and `list`: what missions are waiting for, from the verified ledger. Needs no key.
import { underProject } from '../../../app/adoption.ts';
import { missionsAnywhere } from '../../../app/bring.ts';
import { refuseFlawed } from '../../../app/workbench.ts';
import { proposalOf } from '../../../app/mission/documents.ts';
import { stoppedView } from '../../../app/mission/status-view.ts';
import { stoppedWords, UNSTOP } from '../../../forge-text/status-words.ts';
import { stateWords } from '../../../forge-text/states.ts';
import { Failure } from '../../../failure.ts';
import { askedOf } from '../../../kernel/approval/asked.ts';
import { missionStatus } from '../../../kernel/mission/status.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { ledgerName } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { FILE_THE_FORM, isOnForge } from '../mission/forge-home.ts';
import { atMission, brought, inProject, seen, type Site } from '../mission/site.ts';
import { viewOf, type View } from '../mission/view.ts';
import { statusLines, viewJson, whyLines } from '../mission/view-text.ts';
import { aligned, type Line } from '../output.ts';
import type { Values } from '../values.ts';

export const status = showing(statusLines);
export const why = showing(whyLines);

function showing(lines: (view: View) => Line[]) {
  return {
    run: (ctx: Context, args: Values, options: Values): Promise<void> =>
      atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
        const view = await viewOf(site, await seen(site));
        ctx.out.emit(lines(view), viewJson(view));
      }),
  };
}

export const list = {
  run: (ctx: Context, _args: Values, options: Values): Promise<void> =>
    inProject(ctx, options, async (site) => {
      const refs = await missionsAnywhere(site.bench);
      const rows = [];
      for (const ref of refs) rows.push(await row(site, ref));
      const cells = rows.map(({ mission, state, waits_for, goal }) => [mission, state, waits_for.join(' '), goal]);
      const stopped = stoppedView(site.project);
      const begin = (await isOnForge(site)) ? FILE_THE_FORM : 'lazarus propose <mission.yaml>';
      const lines = rows.length === 0 ? ['no missions yet', `  next: ${begin}`] : aligned(cells);
      ctx.out.emit([...lines, ...stoppedLines(stopped)], { missions: rows, stopped });
    }),
};

function stoppedLines(stopped: ReturnType<typeof stoppedView>): Line[] {
  if (stopped === null) return [];
  return [
    [{ text: 'the project is stopped', style: 'red' }, ` ${stoppedWords(stopped)}`],
    `  for it to go on, ${stopped.who.join(' or ')} types:`,
    `  next: ${UNSTOP}`,
  ];
}

type Row = {
  readonly mission: string;
  readonly state: string;
  readonly waits_for: readonly string[];
  readonly goal: string;
};

/** One that does not verify stands in the list by the reason, and hides no other. */
async function row(site: Site, ref: string): Promise<Row> {
  const { bench, world, ctx } = site;
  const mission = ledgerName(ref);
  try {
    await brought(site, ref);
    const { report } = await bench.verify(ref, 'since-pin', {
      project: world.project,
      skipsProject: true,
      signal: ctx.signal,
    });
    refuseFlawed(report);
    const state = underProject(report.state as MissionState, world.project);
    const digest = state.course?.proposal;
    const proposal = digest === undefined ? undefined : await proposalOf(bench, ref, digest).catch(() => undefined);
    const waits_for = askedOf(state)?.from ?? [];
    return { mission, state: stateWords(missionStatus(state)), waits_for, goal: proposal?.goal ?? '' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { mission, state: error.code, waits_for: [], goal: '' };
  }
}
