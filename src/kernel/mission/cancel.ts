// Calling a mission off: by whoever asked for it or by a person, up to the first intent. From then on nothing new begins in
// it; what was begun is seen, receipted, closed and let go, and then it ends. Knows no cell: who runs one looks for the word.
import { checkWord } from '../approval/evolve.ts';
import type { MissionCourse, Step } from '../course/course.ts';
import type { InMission } from '../course/in-course.ts';
import { isProposer } from '../course/proposers.ts';
import { enforced } from '../enforced.ts';
import type { EventOf } from '../event.ts';
import { isPerson, type Member } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** At every tier the gate's word is enough: to stop is the safe direction, and whoever is silenced so asks anew. */
export function cancelMission(at: InMission, event: EventOf<'mission.cancelled'>): Verdict<MissionCourse> {
  const { course, mission } = at;
  const { forge } = event.payload;
  if (course.cancelled !== null) return refuse('mission_cancelled', { mission, by: course.cancelled.by });
  const speaker = checkSpeaker(at, event);
  if (speaker.is === 'refused') return speaker;
  const steps = Object.values(course.steps);
  if (steps.length > 0 && steps.every(({ attempt }) => attempt?.status === 'succeeded'))
    return refuse('mission_succeeded', { mission, outcome: 'cancelled' });
  if (steps.some(isEffectBegun)) return refuse('effects_begun', { mission });
  return accept({
    ...course,
    cancelled: { by: event.actor_id, at: event.occurred_at, account: forge?.user_id ?? null },
  });
}

/** A member for itself, or relayed from its own account; a proposer whom no roster has through the gate alone. */
function checkSpeaker(
  at: InMission,
  { actor_id, payload: { forge } }: EventOf<'mission.cancelled'>,
): Verdict<undefined> {
  const { course, roster, signer } = at;
  const actor = roster.members.find(({ principal_id }) => principal_id === actor_id);
  if (actor === undefined) return refuse('not_authorised', { principal: actor_id });
  const account = forge?.user_id;
  const isStrangers = account !== undefined && !roster.members.some(({ forge_user_id }) => forge_user_id === account);
  if (isStrangers && actor.principal_id === signer.principal_id && signer.roles.includes('gate')) {
    const isTheirs = course.proposers.some(({ forge_user_id }) => forge_user_id === account);
    return isTheirs || !enforced('cancelled_by_those_concerned')
      ? accept(undefined)
      : refuse('not_authorised', { account });
  }
  const said = checkWord(at, actor, forge);
  if (said.is === 'refused') return said;
  return mayCancel(at, actor) || !enforced('cancelled_by_those_concerned')
    ? accept(undefined)
    : refuse('not_authorised', { principal: actor_id });
}

function mayCancel({ course, roster }: Pick<InMission, 'course' | 'roster'>, member: Member): boolean {
  return isPerson(member) || isProposer(roster, course.proposers, member);
}

/** What reached the world, or may have: that is finished or settled, and not called off. */
function isEffectBegun({ attempt, effects }: Step): boolean {
  if (Object.keys(effects).length > 0 || (attempt?.applied.length ?? 0) > 0) return true;
  return attempt?.planned?.effects.some(({ intent }) => intent !== null) === true;
}
