// `lazarus approve`, `reject` and `withdraw`: one person's say under their own key. Whether it counts is the kernel's to
// decide; here is only told what it led to.
import { vote, withdraw as takeBack } from '../../../app/mission/vote.ts';
import { actOn, type Acting } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import { askedOf } from '../../../kernel/approval/voters.ts';
import type { MissionState } from '../../../kernel/state.ts';
import type { Refused, Verdict } from '../../../kernel/verdict.ts';
import { nextLine } from '../../../next-line.ts';
import type { Context } from '../command.ts';
import { wake } from '../mission/forge-home.ts';
import { personHere } from '../mission/keys.ts';
import { atMission, seenBy } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { viewJson, whyLines } from '../mission/view-text.ts';
import type { Values } from '../values.ts';

export const approve = saying('approve');
export const reject = saying('reject');
export const withdraw = { run: acting('withdraw', (by) => takeBack(by, { voter: by.principal })) };

function saying(choice: 'approve' | 'reject') {
  return {
    run: acting(choice, (by, args, options) => {
      const reason = options.text('reason');
      const digest = args.need('digest').toLowerCase();
      const said = { choice, digest, voter: by.principal, isFinal: options.flag('final') };
      return vote(by, reason === undefined ? said : { ...said, reason: utf8(reason) });
    }),
  };
}

type Say = (by: Acting, args: Values, options: Values) => Promise<Verdict<MissionState>>;

function acting(verb: string, say: Say) {
  return (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const by = actOn(site.world, site.ref, await personHere(site));
      const said = await say(by, args, options);
      if (said.is === 'refused') throw refusal(said, { verb, mission: site.name, state: (await seenBy(by)).state });
      await wake(site);
      const view = await viewOf(site, await seenBy(by));
      ctx.out.emit(whyLines(view), viewJson(view));
    });
}

type Tried = { readonly verb: string; readonly mission: string; readonly state: MissionState };

/** Whoever may not is told who can; whoever typed an old digest, the same command with the one that counts. */
function refusal({ code, facts }: Refused, { verb, mission, state }: Tried): Failure {
  const isWrongPerson = code === 'self_approval' || code === 'not_authorised';
  const told = isWrongPerson ? { ...facts, who_can: askedOf(state)?.from ?? [] } : facts;
  return new Failure(code, told, { next: nextLine({ code, facts, mission, verb }, 'terminal') });
}
