// `lazarus cancel`: one person's word, under their own key, that a mission is not wanted any more; then whatever this
// computer may do to end it. Where a cell runs, whoever runs it closes it within moments, and ends the mission after it.
import { cancel as callOff } from '../../../app/mission/cancel.ts';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { goOn, HEALING } from '../mission/acting.ts';
import { saying } from '../mission/saying.ts';
import type { MissionSite } from '../mission/site.ts';

export const cancel = {
  run: saying({
    verb: 'cancel',
    say: (by, _args, options) => {
      const reason = options.text('reason');
      return callOff(by, reason === undefined ? {} : { reason: utf8(reason) });
    },
    andThen: endHere,
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
