// `lazarus cancel`: one person's word, under their own key, that a mission is not wanted any more; then whatever this
// computer may do to end it. Where a cell runs, whoever runs it closes it within moments, and ends the mission after it.
import { cancel as callOff } from '../../../app/mission/cancel.ts';
import { actOn } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import type { MissionState } from '../../../kernel/state.ts';
import type { Context } from '../command.ts';
import { goOn, HEALING } from '../mission/acting.ts';
import { isOnForge, wake } from '../mission/forge-home.ts';
import { personHere } from '../mission/keys.ts';
import { atMission, seenBy, type MissionSite } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { viewJson, whyLines } from '../mission/view-text.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';

export const cancel = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const by = actOn(site.world, site.ref, await personHere(site));
      const reason = options.text('reason');
      const state = unwrap(await callOff(by, reason === undefined ? {} : { reason: utf8(reason) }));
      if (await isOnForge(site)) await wake(site);
      else await endHere(site, state);
      const view = await viewOf(site, await seenBy(by));
      ctx.out.emit(whyLines(view), viewJson(view));
    }),
};

/** A person’s key ends nothing; the machine’s beside it does, unless it is what runs the mission right now. */
async function endHere(site: MissionSite, { course }: MissionState): Promise<void> {
  if (course!.end !== null) return;
  try {
    await goOn(site, { may: HEALING });
  } catch (error) {
    if (!(error instanceof Failure) || !LEFT_TO_OTHERS.has(error.code)) throw error;
  }
}

/** Running in another process here, or run by another computer whose key is not here. */
const LEFT_TO_OTHERS: ReadonlySet<string> = new Set(['mission_running', 'key_not_found']);
