// `lazarus followup`: a new mission that goes on from one that is over, under the person's own key; on a forge the gate opens it
// in an issue of its own. Approves nothing.
import { followUpOf, type Delivered } from '../../../app/mission/follow-up.ts';
import { proposeMission } from '../../../app/mission/propose.ts';
import { actOn } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import type { Context } from '../command.ts';
import { isOnForge } from '../mission/forge-home.ts';
import { machineHere, personHere } from '../mission/keys.ts';
import { askGate } from '../mission/saying.ts';
import { atMission, type MissionSite } from '../mission/site.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';
import { planAndTell } from './propose.ts';

export const followup = {
  run: (ctx: Context, args: Values, options: Values): Promise<number | void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const goal = args.need('goal');
      if (/[\r\n]/.test(goal)) throw new Failure('usage', { goal: 'one line' });
      return (await isOnForge(site)) ? askGate(site, `/followup ${goal}`) : followUpHere(site, goal);
    }),
};

async function followUpHere(site: MissionSite, goal: string): Promise<number> {
  const { world, options, ref } = site;
  const machine = await machineHere(site);
  const signer = await personHere(site);
  const purpose = options.text('purpose') ?? '';
  const isToBeMerged = (work: Delivered): Promise<boolean> => isUnmerged(site, work);
  const wanted = unwrap(await followUpOf(world, actOn(world, ref, signer), { goal, purpose, isToBeMerged }));
  const proposal = { ...wanted, raw: utf8(goal), rawMediaType: 'text/plain' };
  const { acting } = unwrap(await proposeMission(world, signer, proposal));
  return planAndTell(site, actOn(world, acting.ref, machine));
}

/** Here, and not part of the branch that it was made for. */
async function isUnmerged({ bench }: MissionSite, { branch, base }: Delivered): Promise<boolean> {
  const { repository } = bench.parts;
  const [work, head] = [
    await repository.resolve(`refs/heads/${branch}`),
    await repository.resolve(`refs/heads/${base}`),
  ];
  return work !== undefined && (head === undefined || !(await repository.isAncestor(work, head)));
}
