// Who stands behind a proposal, and so may not approve it: named by whoever signs it, and remembered with the person behind
// each name, so that no second account and no later roster makes somebody else of them.
import { enforced } from '../enforced.ts';
import type { EventOf } from '../event.ts';
import { isPerson, personOf, type Member, type Roster } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { MissionCourse, NamedProposer, Proposer } from './course.ts';

/** Also asked before there is an event. */
export type Proposed = Pick<EventOf<'mission.proposed'>, 'actor_id' | 'payload'>;

export type ProposedBy = { readonly mission: string; readonly roster: Roster; readonly signer: Member };

/** A person names itself and nobody else; only a gate names others, by the account that the forge vouches for. */
export function checkProposers(
  before: readonly Proposer[],
  { actor_id, payload: { proposers } }: Proposed,
  { roster, signer }: ProposedBy,
): Verdict<undefined> {
  const forgotten = before.filter((one) => !proposers.some((other) => isSame(one, other)));
  // Whoever had a hand in an earlier revision still has one in this.
  if (forgotten.length > 0) return refuse('proposer_forgotten', { count: forgotten.length });
  if (!enforced('proposer_is_signer')) return accept(undefined);
  const speaking = roster.members.filter(({ principal_id: one }) => one === actor_id || one === signer.principal_id);
  const missing = speaking.find((one) => isPerson(one) && !proposers.some((named) => names(named, one)));
  if (missing !== undefined) return refuse('proposer_missing', { principal: missing.principal_id });
  for (const named of proposers) {
    if (before.some((one) => isSame(one, named))) continue;
    const checked = checkNamed(named, roster, signer);
    if (checked.is === 'refused') return checked;
  }
  return accept(undefined);
}

function checkNamed(named: NamedProposer, { members }: Roster, signer: Member): Verdict<undefined> {
  const { forge_user_id, principal_id } = named;
  const byAccount = members.find((one) => forge_user_id !== null && one.forge_user_id === forge_user_id);
  const byName = members.find((one) => one.principal_id === principal_id);
  const isOwn = principal_id === signer.principal_id;
  if (!isOwn && (!signer.roles.includes('gate') || forge_user_id === null))
    return refuse('proposer_foreign', { ...named, signer: signer.principal_id });
  // One entry, one member: an account here and a name there would be two people in one.
  const isAsRostered =
    (principal_id === null || byName !== undefined) && (forge_user_id === null || byAccount === byName);
  return isAsRostered
    ? accept(undefined)
    : refuse('proposer_mismatch', { ...named, roster: byAccount?.principal_id ?? null });
}

/** The proposers as a mission keeps them: with every person that any roster since then put behind them. */
export function withPersons(
  named: readonly NamedProposer[],
  { before = [], roster }: { readonly before?: readonly Proposer[]; readonly roster: Roster },
): readonly Proposer[] {
  return named.map(({ forge_user_id, principal_id }) => {
    const kept = before.find((one) => isSame(one, { forge_user_id, principal_id }))?.persons ?? [];
    const known = roster.members.filter((one) => names({ forge_user_id, principal_id }, one)).map(personOf);
    return { forge_user_id, principal_id, persons: [...new Set([...kept, ...known])].sort() };
  });
}

/** Whom an adopted roster makes known. */
export function withNewRoster(course: MissionCourse, roster: Roster): MissionCourse {
  return { ...course, proposers: withPersons(course.proposers, { before: course.proposers, roster }) };
}

/** By principal, by forge account, and by the person behind either, then or now: a second account makes no second person. */
export function isProposer(roster: Roster, proposers: readonly Proposer[], member: Member): boolean {
  const now = roster.members.filter((known) => proposers.some((one) => names(one, known))).map(personOf);
  const kept = enforced('proposer_persons_kept') ? proposers.flatMap(({ persons }) => persons) : [];
  return [...now, ...kept].includes(personOf(member));
}

function names({ forge_user_id, principal_id }: NamedProposer, member: Member): boolean {
  return member.principal_id === principal_id || (forge_user_id !== null && member.forge_user_id === forge_user_id);
}

function isSame(one: NamedProposer, other: NamedProposer): boolean {
  return one.principal_id === other.principal_id && one.forge_user_id === other.forge_user_id;
}
