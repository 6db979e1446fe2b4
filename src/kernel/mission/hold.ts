// Holding a mission, and letting it go on: an attempt that runs comes to its end and is checked; nothing else begins. Whoever
// lets it go on agrees that it does: whoever held it, or who may approve it. Knows no clock: what runs out meanwhile runs out.
import { checkSigned, checkVoter } from '../approval/voters.ts';
import type { MissionCourse } from '../course/course.ts';
import type { InMission } from '../course/in-course.ts';
import { isProposer } from '../course/proposers.ts';
import { enforced } from '../enforced.ts';
import type { EventOf } from '../event.ts';
import { isPerson, type Member } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { checkStoppable } from './cancel.ts';
import { checkConcerned } from './concerned.ts';

type Held = NonNullable<MissionCourse['held']>;
type Seen = Pick<InMission, 'course' | 'roster'>;

export function holdMission(at: InMission, event: EventOf<'mission.held'>): Verdict<MissionCourse> {
  const { course, mission } = at;
  const { forge } = event.payload;
  const speaker = checkConcerned(at, event);
  if (speaker.is === 'refused') return speaker;
  if (course.held !== null && !isFirmer(at, speaker.value, course.held))
    return refuse('mission_held', { mission, by: course.held.by });
  const stoppable = checkStoppable(at, 'held');
  if (stoppable.is === 'refused') return stoppable;
  return accept({
    ...course,
    held: { by: event.actor_id, at: event.occurred_at, account: forge?.user_id ?? null },
  });
}

/** At tier 3 whatever lets something begin is signed: a gate that lies could let it go on in anybody's name. */
export function unholdMission(at: InMission, event: EventOf<'mission.unheld'>): Verdict<MissionCourse> {
  const { course, mission } = at;
  const { forge } = event.payload;
  const { held, plan } = course;
  if (held === null) return refuse('hold_missing', { mission });
  const speaker = checkConcerned(at, event);
  if (speaker.is === 'refused') return speaker;
  const who = speaker.value;
  const isTheirs = who === undefined ? held.account === forge?.user_id : holderOf(at, held) === who;
  if (!isTheirs && !(who !== undefined && mayApprove(at, who)) && enforced('unheld_by_those_who_may'))
    return refuse('hold_of_another', { mission, by: held.by });
  const signed = checkSigned(plan, forge);
  if (signed.is === 'refused' && enforced('unheld_by_those_who_may')) return signed;
  return accept({ ...course, held: null });
}

/** The names of those who may let it go on; empty where it is not held. */
export function whoMayUnhold(at: Seen): readonly string[] {
  const { held } = at.course;
  if (held === null) return [];
  const holder = holderOf(at, held);
  // Who is no person any more has no word of their own.
  const isHolder = (member: Member): boolean => member === holder && isPerson(member);
  return at.roster.members
    .filter((member) => isHolder(member) || mayApprove(at, member))
    .map(({ principal_id }) => principal_id);
}

/** Else whoever proposed it would hold it first, and let go whenever somebody else would have held it. */
function isFirmer(at: Seen, who: Member | undefined, held: Held): boolean {
  const holder = holderOf(at, held);
  const isFirm = holder !== undefined && mayApprove(at, holder);
  return !isFirm && who !== undefined && mayApprove(at, who);
}

/** The member who said it; undefined for an account that no roster has, and for whoever has left. */
function holderOf({ roster }: Seen, { by, account }: Held): Member | undefined {
  const member = roster.members.find(({ principal_id }) => principal_id === by);
  return account === null || member?.forge_user_id === account ? member : undefined;
}

function mayApprove({ course, roster }: Seen, member: Member): boolean {
  // Without a plan nothing can begin, and nobody has a vote.
  const { plan, proposers } = course;
  if (plan === null) return isPerson(member) && !isProposer(roster, proposers, member);
  return checkVoter({ roster, proposers, plan }, member.principal_id).is === 'accepted';
}
