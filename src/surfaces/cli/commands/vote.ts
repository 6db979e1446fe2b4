// `lazarus approve`, `reject` and `withdraw`: one person's say under their own key. Whether it counts is the kernel's to
// decide; here is only told what it led to.
import { vote, withdraw as takeBack } from '../../../app/mission/vote.ts';
import { utf8 } from '../../../format/bytes.ts';
import { saying } from '../mission/saying.ts';

export const approve = voting('approve');
export const reject = voting('reject');
export const withdraw = { run: saying({ verb: 'withdraw', say: (by) => takeBack(by, { voter: by.principal }) }) };

function voting(choice: 'approve' | 'reject') {
  return {
    run: saying({
      verb: choice,
      say: (by, args, options) => {
        const reason = options.text('reason');
        const digest = args.need('digest').toLowerCase();
        const said = { choice, digest, voter: by.principal, isFinal: options.flag('final') };
        return vote(by, reason === undefined ? said : { ...said, reason: utf8(reason) });
      },
    }),
  };
}
