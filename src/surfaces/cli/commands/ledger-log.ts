// `lazarus ledger log`: the events of a ledger, oldest first, every one verified before it is shown.
import { readEvents } from '../../../app/read-events.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import type { Context } from '../command.ts';
import { aligned } from '../output.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const from = options.whole('from') ?? 0;
  const until = options.whole('until') ?? Number.POSITIVE_INFINITY;
  const last =
    options.flag('all') || options.text('from') !== undefined
      ? Number.POSITIVE_INFINITY
      : (options.whole('last', 1) ?? DEFAULT_LAST);
  const type = options.text('type');
  await withWorkbench(ctx, options, async ({ bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const progress = ctx.out.progress('verifying');
    const events: ReadEvent[] = [];
    let size = 0;
    const take = (event: ReadEvent): void => {
      progress.update((size = event.index + 1));
      if (event.index < from || event.index >= until || (type !== undefined && event.event_type !== type)) return;
      events.push(event);
      if (events.length > last) events.shift();
    };
    await readEvents(bench, ref, take, { signal: ctx.signal });
    progress.end();
    const hidden = events.length > 0 && last !== Number.POSITIVE_INFINITY && size > events.length;
    if (hidden) ctx.out.note(`showing the last ${events.length} of ${size} events; --all shows them all`);
    ctx.out.emit(aligned(events.map(row)), { events, size });
  });
}

const DEFAULT_LAST = 50;

function row(event: ReadEvent): string[] {
  const { index, occurred_at, actor_id, event_type, entity_id, commit } = event;
  return [String(index), occurred_at, actor_id, event_type, entity_id.slice(0, 8), commit.slice(0, 12)];
}
