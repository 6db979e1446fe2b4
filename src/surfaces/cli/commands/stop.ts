// `lazarus stop` and `unstop`: nothing new begins in any mission of the project, until the roots let it. What was begun is
// finished or settled; to end one mission is another thing.
import { PROJECT_REF } from '../../../ledger/names.ts';
import { within } from '../../../kernel/decide/about.ts';
import { accept, refuse } from '../../../kernel/verdict.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench } from '../workspace.ts';

export const stop = saying('halt.declared', [
  'stopped: no mission of this project is planned, granted, begun or delivered any more',
  'What was begun is checked, receipted and closed. lazarus unstop lets missions go on.',
]);
export const unstop = saying('halt.lifted', ['missions of this project may go on']);

function saying(event: 'halt.declared' | 'halt.lifted', words: readonly string[]) {
  return {
    run: (ctx: Context, _args: Values, options: Values): Promise<void> =>
      withWorkbench(ctx, options, async ({ app, bench }) => {
        const { tip } = await bench.project();
        const signer = await signerOf(app, options, tip.state!.roster);
        const landed = unwrap(
          await bench.session(PROJECT_REF, signer).submit({
            decide: (state) =>
              state === undefined
                ? refuse('ledger_not_opened')
                : accept([within(event, state.project_id, state.project_id, {})]),
          }),
        );
        ctx.out.emit([...words], { halted: event === 'halt.declared', head: landed.head });
      }),
  };
}
