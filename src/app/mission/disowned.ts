// Whether a mission is blocked until the roots have judged: a key that is cut off as compromised has signed in it, and nobody
// has said yet what that was worth. Looked for only where a key was cut off at all, and in the whole ledger only where the pin
// knows that key to have signed behind what is still trusted of it.
import { Failure } from '../../failure.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Acting, MissionWorld } from './world.ts';

export async function assertNotDisowned({ world, ref }: Acting, state: MissionState): Promise<void> {
  if (await isDisowned(world, ref, state)) throw new Failure('mission_disowned', { mission: state.ledger_id });
}

export async function isDisowned(
  world: MissionWorld,
  ref: string,
  { cut_offs, course }: Pick<MissionState, 'cut_offs' | 'course'>,
): Promise<boolean> {
  await world.project.history.bring({});
  const all = [...cut_offs, ...world.project.history.cutOffs];
  if (all.length === 0 || (course?.end ?? null) !== null) return false;
  if (!(await world.missions.at(ref).hasSignedBehind(all))) return false;
  await world.bench.place.upToDate();
  const { report } = await world.bench.verify(ref, 'since-pin', { project: world.project, skipsProject: true });
  return report.trust.is === 'disowned';
}
