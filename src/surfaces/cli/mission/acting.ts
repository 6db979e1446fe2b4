// What a computer of a person's own may do for a mission: everything, in one process, without a forge. One process at a
// time, which a lock says and a lease proves to other computers.
import { advance, type Advanced, type DueKind } from '../../../app/mission/advance.ts';
import { branchExecutors } from '../../../app/mission/executors.ts';
import type { Setting } from '../../../app/mission/planning.ts';
import type { Running } from '../../../app/mission/run.ts';
import { actOn, type Acting } from '../../../app/mission/world.ts';
import { unwrap } from '../workspace.ts';
import { machineHere } from './keys.ts';
import type { MissionSite } from './site.ts';

/** No forge to push to; every tier, because people sign here themselves. */
export const SETTING: Setting = { forge: null, tierMax: 3 };

/** Everything but starting an agent, which is for `run`. */
export const HEALING: ReadonlySet<DueKind> = new Set<DueKind>([
  'plan',
  'grant',
  'ask',
  'recover',
  'end',
  'expire',
  'deliver',
  'observe',
]);
/** Whoever wants it to run does not want it ended: an approval that is too old is for people to renew. */
export const WHOLE_WAY: ReadonlySet<DueKind> = new Set<DueKind>(
  [...HEALING, 'cell' as const].filter((step) => step !== 'expire'),
);

export type Going = {
  readonly may: ReadonlySet<DueKind>;
  readonly running?: Running;
  readonly onPoint?: (point: string) => void;
};

export async function goOn(site: MissionSite, going: Going): Promise<Advanced & { readonly acting: Acting }> {
  return alone(site, async (acting) => {
    const means = { ...going, setting: SETTING, executors: branchExecutors(site.bench), isAlone: true };
    return { ...unwrap(await advance(acting, means)), acting };
  });
}

/** Under the machine's key, while no other process of this computer works on the mission. */
export async function alone<T>(site: MissionSite, act: (acting: Acting) => Promise<T>): Promise<T> {
  const { bench, world, ref, name } = site;
  const acting = actOn(world, ref, await machineHere(site));
  const { runLocksOf } = await import('../../../compose/missions.ts');
  const lock = await runLocksOf(bench).take(name);
  try {
    return await act(acting);
  } finally {
    await lock.release();
  }
}
