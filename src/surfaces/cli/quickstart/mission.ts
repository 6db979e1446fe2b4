// The middle of the quickstart: the example mission proposed from its file, approved by the second person, and run.
import { courseOf } from '../../../kernel/course/steps.ts';
import { planMission } from '../../../app/mission/plan.ts';
import type { Running } from '../../../app/mission/run.ts';
import { proposeMission } from '../../../app/mission/propose.ts';
import { vote } from '../../../app/mission/vote.ts';
import { actOn } from '../../../app/mission/world.ts';
import { readEvents } from '../../../app/read-events.ts';
import type { Workbench } from '../../../app/workbench.ts';
import type { App } from '../../../compose/app.ts';
import { readMissionFile } from '../../../documents/mission-file.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8 } from '../../../format/bytes.ts';
import { levelWords } from '../../../kernel/cell/words.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { goOn, SETTING, WHOLE_WAY } from '../mission/acting.ts';
import { planRows, recorded } from '../mission/plan-text.ts';
import { seenBy, siteIn, type MissionSite } from '../mission/site.ts';
import { watchedCells, toldOutput } from '../mission/watched-cells.ts';
import { viewOf } from '../mission/view.ts';
import { aligned } from '../output.ts';
import { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';
import type { Cast } from './project.ts';
import type { Tell } from './story.ts';
import type { Stage } from './world.ts';

type At = { readonly bench: Workbench; readonly app: App; readonly cast: Cast };
type OnMission = At & { readonly ref: string };

export async function proposeExample(
  stage: Stage,
  at: At,
  tell: Tell,
): Promise<{ readonly ref: string; readonly digest: string }> {
  const raw = await stage.app.template('mission.yaml');
  const { world } = await siteOf(stage, { ...at, ref: '' });
  const proposed = unwrap(
    await proposeMission(world, at.cast.ana, {
      proposal: unwrap(readMissionFile(fromUtf8(raw), 'mission.yaml')),
      raw,
      rawMediaType: 'application/yaml',
    }),
  );
  const { ref } = proposed.acting;
  const acting = actOn(world, ref, at.cast.laptop);
  unwrap(await planMission(acting, SETTING));
  const view = await viewOf({ world, ref }, await seenBy(acting));
  const shown = recorded(view.state, view.plan)!;
  tell(`ana proposes mission.yaml: ${ledgerName(ref)}`, ...aligned(planRows(shown)));
  return { ref, digest: shown.digest!.slice(0, DIGEST_CHARACTERS) };
}

const DIGEST_CHARACTERS = 12;

export async function approveAsBo(stage: Stage, at: OnMission, digest: string, tell: Tell): Promise<void> {
  const { world } = await siteOf(stage, at);
  const own = await vote(actOn(world, at.ref, at.cast.ana), { choice: 'approve', digest, voter: 'ana' });
  if (own.is === 'accepted') throw new TypeError('a proposer approved their own mission');
  const before = await goOn(await siteOf(stage, at), { may: WHOLE_WAY });
  if (before.took.length > 0) throw new TypeError('a mission ran that nobody approved');
  unwrap(await vote(actOn(world, at.ref, at.cast.bo), { choice: 'approve', digest, voter: 'bo' }));
  tell(
    'Nothing runs before somebody else has approved exactly that digest',
    `ana: ${own.code}`,
    `bo:  lazarus approve ${ledgerName(at.ref)} ${digest}`,
  );
}

/** `receipt`: the index of the event that is the receipt of the run. */
export async function runExample(
  stage: Stage,
  at: OnMission,
  tell: Tell,
): Promise<{ readonly receipt: number; readonly receipts: readonly string[] }> {
  const { ctx, env } = stage;
  const site = await siteOf(stage, at);
  const { runningOf } = await import('../../../compose/missions.ts');
  const running = await runningOf(at.bench, { env, allowLevel0: at.cast.level === 0 });
  tell(`lazarus run ${site.name}: the agent works in a cell, and its work is checked in fresh ones`);
  const output = toldOutput((line) => ctx.out.note(line));
  const { state } = await goOn(site, {
    may: WHOLE_WAY,
    running: {
      ...running,
      cells: watchedCells(running.cells, (line) => ctx.out.note(['   ', ...[line].flat()]), ctx.signal),
      onOutput: output.take,
    },
  });
  output.end();
  const { end, attempt } = courseOf(state)!;
  if (end?.outcome !== 'done')
    throw new Failure('effect_missing', { mission: site.name, because: end?.because ?? attempt?.status ?? '' });
  const branch = `lazarus-work/${site.name}/${attempt!.no}`;
  tell(
    `The work is a branch, and changes nothing but what the mission owns: ${branch}`,
    ...(await changed(at, branch, running)),
  );
  const { receipts, last } = await receiptsOf(at);
  tell('Each thing done has its receipt', ...receipts);
  return { receipt: last, receipts };
}

async function changed({ bench }: OnMission, branch: string, running: Running): Promise<readonly string[]> {
  const { repository } = bench.parts;
  const [base, work] = [await repository.resolve('refs/heads/main'), await repository.resolve(`refs/heads/${branch}`)];
  const changes = await running.repositories.readDiff(running.source, base!, work!);
  return changes.map(({ status, path }) => `${status.padEnd(STATUS_WIDTH)}  ${path}`);
}

const STATUS_WIDTH = 'modified'.length;

async function receiptsOf({ bench, ref }: OnMission): Promise<{ receipts: string[]; last: number }> {
  const receipts: string[] = [];
  let last = 0;
  let level = 0;
  await readEvents(bench, ref, (event: ReadEvent) => {
    if (event.event_type === 'cell.spawned') level = event.payload.level;
    if (event.event_type !== 'receipt.issued') return;
    const { receipt_class, result_code, result_summary } = event.payload;
    const where = receipt_class === 'command_execution' ? `, in a cell of ${levelWords(level)}` : '';
    receipts.push(`${event.entity_id}  ${receipt_class}: ${result_code} (${result_summary})${where}`);
    last = event.index;
  });
  return { receipts, last };
}

async function siteOf({ ctx }: Stage, { bench, app, ref }: OnMission): Promise<MissionSite> {
  const site = await siteIn({ app, bench }, ctx, new Values({}));
  return { ...site, ref, name: ledgerName(ref) };
}
