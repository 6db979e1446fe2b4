// `lazarus hold` and `lazarus unhold`: one person's word, under their own key, that nothing else of a mission begins for now,
// or that it goes on. What runs is left alone.
import { hold as holdOrNot } from '../../../app/mission/hold.ts';
import { utf8 } from '../../../format/bytes.ts';
import { saying } from '../mission/saying.ts';

export const hold = { run: holding('hold', 'held') };
export const unhold = { run: holding('unhold', 'unheld') };

function holding(verb: string, is: 'held' | 'unheld') {
  return saying({
    verb,
    say: (by, _args, options) => {
      const reason = options.text('reason');
      return holdOrNot(by, { is, ...(reason === undefined ? {} : { reason: utf8(reason) }) });
    },
  });
}
