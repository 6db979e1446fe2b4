// `lazarus retry`: the next attempt of a mission, without running it. What a schedule would wait for is not waited for here.
import { retry as tryAgain } from '../../../app/mission/retry.ts';
import type { Context } from '../command.ts';
import { alone, SETTING } from '../mission/acting.ts';
import { isOnForge } from '../mission/forge-home.ts';
import { askGate } from '../mission/saying.ts';
import { atMission, seenBy, type MissionSite } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { viewJson, whyLines } from '../mission/view-text.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const retry = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) =>
      (await isOnForge(site)) ? askGate(site, '/retry') : retryHere(site),
    ),
};

function retryHere(site: MissionSite): Promise<void> {
  return alone(site, async (acting) => {
    unwrap(await tryAgain(acting, { setting: SETTING, isAlone: true }));
    const view = await viewOf(site, await seenBy(acting));
    site.ctx.out.emit(whyLines(view), viewJson(view));
  });
}
