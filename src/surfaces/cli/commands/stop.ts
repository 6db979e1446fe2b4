// `lazarus stop` and `unstop`: nothing new begins in any mission of the project, until whoever may lets it. What was begun is
// finished or settled; to end one mission is another thing.
import { branchFiles } from '../../../app/init/policy-changes.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { halt } from '../../../app/stop.ts';
import type { Context } from '../command.ts';
import { whereTheyLive } from '../mission/home.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap } from '../workspace.ts';

export const stop = saying('halt.declared', [
  'stopped: no mission of this project is planned, granted, begun or delivered any more',
  'What was begun is checked, receipted and closed. lazarus unstop lets missions go on.',
]);
export const unstop = saying('halt.lifted', ['missions of this project may go on']);

function saying(event: 'halt.declared' | 'halt.lifted', words: readonly string[]) {
  return {
    run: (ctx: Context, _args: Values, options: Values): Promise<void> =>
      whereTheyLive(ctx, options, async ({ app, bench }) => {
        const project = await knownProject(bench);
        const signer = await signerOf(app, options, project.tip.state!.roster);
        const source = async () => branchFiles({ bench, workTree: await app.workTree() });
        const landed = unwrap(await halt(bench, { event, signer, project, source }));
        ctx.out.emit([...words], { halted: event === 'halt.declared', head: landed.head });
      }),
  };
}
