// Somebody's word that a mission is held, or goes on. Nothing follows from it at once: what runs comes to its end, and whoever
// comes by afterwards finds what is due.
import type { EventOf } from '../event.ts';
import type { Member } from '../roster/roster.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { within, type Drafts } from './about.ts';

export type Holding = EventOf<'mission.held'>['payload'] & {
  readonly is: 'held' | 'unheld';
  /** Whose word it is, where that is not the signer. */
  readonly actor?: Pick<Member, 'principal_id' | 'principal_type'> | undefined;
};

export function decideHold(state: MissionState | undefined, { is, actor, ...said }: Holding): Verdict<Drafts> {
  if (state === undefined) return refuse('ledger_not_opened');
  const { course, ledger_id: mission } = state;
  if (course === undefined) return refuse('nothing_proposed', { mission });
  if (course.end !== null) return refuse('mission_over', { mission, outcome: course.end.outcome });
  return accept([{ ...within(`mission.${is}`, mission, mission, said), actor }]);
}
