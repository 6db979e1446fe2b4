// `lazarus hold` and `lazarus unhold`: one person's word, under their own key, that nothing else of a mission begins for now,
// or that it goes on. What runs is left alone.
import { hold as holdOrNot } from '../../../app/mission/hold.ts';
import { actOn } from '../../../app/mission/world.ts';
import { utf8 } from '../../../format/bytes.ts';
import type { Context } from '../command.ts';
import { personHere } from '../mission/keys.ts';
import { atMission, seenBy } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { viewJson, whyLines } from '../mission/view-text.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const hold = { run: say('held') };
export const unhold = { run: say('unheld') };

function say(is: 'held' | 'unheld') {
  return (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const by = actOn(site.world, site.ref, await personHere(site));
      const reason = options.text('reason');
      unwrap(await holdOrNot(by, { is, ...(reason === undefined ? {} : { reason: utf8(reason) }) }));
      const view = await viewOf(site, await seenBy(by));
      ctx.out.emit(whyLines(view), viewJson(view));
    });
}
