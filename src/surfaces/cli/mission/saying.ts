// What a person says of a mission at a terminal, whichever verb it is: signed with their own key and landed where the mission
// lives, and then whoever goes on from it is woken; or, where only the forge's gate may sign, typed into the mission's issue
// under the person's account. Knows no verb and decides nothing.
import { actOn, type Acting } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { askedOf } from '../../../kernel/approval/asked.ts';
import type { MissionState } from '../../../kernel/state.ts';
import type { Refused, Verdict } from '../../../kernel/verdict.ts';
import { nextLine } from '../../../next-line.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { isOnForge, typeInIssue, wake } from './forge-home.ts';
import { NOBODY_FREED, watchPaths } from './freed.ts';
import { personHere } from './keys.ts';
import { atMission, seen, seenBy, type MissionSite } from './site.ts';
import { viewOf } from './view.ts';
import { viewJson, whyLines } from './view-text.ts';

type Say = (by: Acting, args: Values, options: Values) => Promise<Verdict<MissionState>>;

type Saying = {
  readonly verb: string;
  readonly say: Say;
  /** What follows from it that this computer may do, where no forge does it. */
  readonly andThen?: (site: MissionSite, state: MissionState) => Promise<void>;
};

export function saying({ verb, say, andThen }: Saying) {
  return (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const by = actOn(site.world, site.ref, await personHere(site));
      const said = await say(by, args, options);
      if (said.is === 'refused') throw refusal(said, { verb, mission: site.name, state: (await seenBy(by)).state });
      const isForJobs = await isOnForge(site);
      const freed = watchPaths(site);
      if (isForJobs) await wake(site);
      else await andThen?.(site, said.value);
      const view = await viewOf(site, await seenBy(by));
      const { lines, missions } = isForJobs ? NOBODY_FREED : await freed();
      ctx.out.emit([...whyLines(view), ...lines], { ...viewJson(view), freed: missions });
    });
}

type Tried = { readonly verb: string; readonly mission: string; readonly state: MissionState };

/** Whoever may not is told who can; whoever typed an old digest, the same command with the one that counts. */
function refusal({ code, facts }: Refused, { verb, mission, state }: Tried): Failure {
  const isWrongPerson = code === 'self_approval' || code === 'not_authorised';
  const told = isWrongPerson ? { ...facts, who_can: askedOf(state)?.from ?? [] } : facts;
  return new Failure(code, told, { next: nextLine({ code, facts, mission, verb }, 'terminal') });
}

/** The gate does it, with its own key, when somebody types it in the issue; what it says to that stands there too. */
export async function askGate(site: MissionSite, line: string): Promise<void> {
  const { status, plan } = await viewOf(site, await seen(site));
  const issue = plan?.issue ?? null;
  await typeInIssue(site, { issue, line });
  const { mission } = status;
  site.ctx.out.emit([`${line} was typed in issue ${issue} of ${mission}; the gate of the forge answers there`], {
    mission,
    issue,
    typed: line,
  });
}
