// `lazarus ledger show`: all ledgers here, one ledger's state, or one event with every field the specification names.
import { knownProjectIfHere } from '../../../app/project-fold.ts';
import { readEvents } from '../../../app/read-events.ts';
import { refuseFlawed, type Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import type { State } from '../../../kernel/state.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import { aligned } from '../output.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  await withWorkbench(ctx, options, async ({ bench }) => {
    const typed = args.text('ledger');
    if (typed === undefined) return list(ctx, bench);
    const ref = await bench.find(typed);
    const index = args.whole('index');
    return index === undefined ? summary(ctx, bench, ref) : event(ctx, bench, ref, index);
  });
}

async function list(ctx: Context, bench: Workbench): Promise<void> {
  const rows = [];
  for (const ref of await bench.ledgers()) {
    const pin = await bench.parts.pins.read(ledgerName(ref));
    const head = await bench.parts.repository.resolve(ref);
    rows.push({
      ledger: ledgerName(ref),
      head: head ?? null,
      verified_size: pin?.head.size ?? null,
      verified: pin?.head.oid === head,
    });
  }
  if (rows.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
  const cells = rows.map(({ ledger, head, verified_size, verified }) => [
    ledger,
    String(head).slice(0, 12),
    verified ? `size ${verified_size}, verified here` : 'not verified here yet',
  ]);
  ctx.out.emit(aligned(cells), { ledgers: rows });
}

async function summary(ctx: Context, bench: Workbench, ref: string): Promise<void> {
  const project = ref === PROJECT_REF ? undefined : await knownProjectIfHere(bench);
  const { report } = await bench.verify(ref, 'since-pin', {
    signal: ctx.signal,
    ...(project === undefined ? {} : { project }),
  });
  refuseFlawed(report);
  const { state, head, name, trust } = report;
  const rows = [
    ['ledger', name],
    ['id', state!.ledger_id],
    ['size', String(head!.size)],
    ['head', head!.oid],
    ['root', head!.root],
    ...stateRows(state!),
    ['trust', trust.is],
  ];
  ctx.out.emit(aligned(rows), { ledger: name, head: head!, state: state!, trust });
}

function stateRows(state: State): string[][] {
  const common = [
    ['roster', `n ${state.roster.n}, ${state.roster.members.length} members, threshold ${state.roster.threshold}`],
    ['sealed', state.sealed ? 'yes' : 'no'],
  ];
  if (state.kind === 'project') {
    const missions = Object.entries(state.missions).map(([id, { claims }]) => [
      'mission',
      `${id} claims ${claims.length === 0 ? 'nothing' : claims.join(' ')}`,
    ]);
    const { halt } = state;
    return [...common, ['halted', halt === null ? 'no' : `by ${halt.by}, ${halt.since}`], ...missions];
  }
  const { notes, artifacts, tasks } = state;
  return [
    ...common,
    ['grew from', `project size ${state.grew_from.size}`],
    ['notes', String(notes)],
    ['artifacts', `${artifacts.recorded} recorded, ${artifacts.erased} erased`],
    ...Object.entries(tasks).map(([id, status]) => ['task', `${id} ${status}`]),
  ];
}

async function event(ctx: Context, bench: Workbench, ref: string, index: number): Promise<void> {
  let found: ReadEvent | undefined;
  let size = 0;
  const take = (one: ReadEvent): void => {
    size = one.index + 1;
    if (one.index === index) found = one;
  };
  await readEvents(bench, ref, take, { signal: ctx.signal });
  if (found === undefined) throw new Failure('event_not_found', { ledger: ledgerName(ref), index, size });
  const rows = Object.entries(found).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  ctx.out.emit(aligned(rows.sort(([a], [b]) => (a! < b! ? -1 : 1))), { event: found });
}
