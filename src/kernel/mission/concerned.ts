// Whose word may stop a mission, for good or for a while: a person's, or that of whoever asked for it. Knows no word.
import { checkWord } from '../approval/evolve.ts';
import type { InMission } from '../course/in-course.ts';
import { isProposer } from '../course/proposers.ts';
import { enforced } from '../enforced.ts';
import type { EventOf } from '../event.ts';
import { isPerson, type Member } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

type Word = EventOf<'mission.cancelled' | 'mission.held' | 'mission.unheld'>;

/**
 * A member for itself, or relayed from its own account; a proposer whom no roster has through the gate alone, and then
 * undefined. At every tier the gate's word is enough: to stop is the safe direction, and whoever is silenced so asks anew.
 */
export function checkConcerned(at: InMission, { actor_id, payload: { forge } }: Word): Verdict<Member | undefined> {
  const { course, roster, signer } = at;
  const actor = roster.members.find(({ principal_id }) => principal_id === actor_id);
  if (actor === undefined) return refuse('not_authorised', { principal: actor_id });
  const account = forge?.user_id;
  const isStrangers = account !== undefined && !roster.members.some(({ forge_user_id }) => forge_user_id === account);
  if (isStrangers && actor.principal_id === signer.principal_id && signer.roles.includes('gate')) {
    const isTheirs = course.proposers.some(({ forge_user_id }) => forge_user_id === account);
    return isTheirs || !enforced('stopped_by_those_concerned')
      ? accept(undefined)
      : refuse('not_authorised', { account });
  }
  const said = checkWord(at, actor, forge);
  if (said.is === 'refused') return said;
  return isPerson(actor) || isProposer(roster, course.proposers, actor) || !enforced('stopped_by_those_concerned')
    ? accept(actor)
    : refuse('not_authorised', { principal: actor_id });
}
