// Whose say counts on a mission: people of the roster in force, each once, and not those who asked for it.
import type { Plan } from '../course/plan.ts';
import type { Course, Proposer, Vote } from '../course/course.ts';
import { isProposer } from '../course/proposers.ts';
import { isPerson, personOf, type Member, type Roster } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** The least that each tier needs; policy may ask for more. */
export const QUORUM_MIN = [0, 1, 2, 2] as const;
/** Up to here a roster of one person may approve what that person proposed. */
const SELF_APPROVAL_TIER_MAX = 1;
/** From here on no gate's word counts for a person's. */
export const SIGNED_TIER = 3;

/** `forge`: where a word came through a gate; null where whoever said it signed it. */
export function checkSigned(plan: Plan | null, forge: object | null): Verdict<undefined> {
  const tier = plan?.tier ?? 0;
  return tier >= SIGNED_TIER && forge !== null ? refuse('word_unsigned', { tier }) : accept(undefined);
}

export type Ballot = { readonly roster: Roster; readonly proposers: readonly Proposer[]; readonly plan: Plan };

/** Only where there is a plan. */
export function ballotOf({
  course,
  roster,
}: {
  readonly course: Pick<Course, 'proposers' | 'plan'>;
  readonly roster: Roster;
}): Ballot {
  return { roster, proposers: course.proposers, plan: course.plan! };
}

export function checkVoter({ roster, proposers, plan }: Ballot, actorId: string): Verdict<Member> {
  const member = roster.members.find((one) => one.principal_id === actorId);
  if (member === undefined || !isPerson(member)) return refuse('not_authorised', { principal: actorId });
  if (plan.tier === 0 || !isProposer(roster, proposers, member)) return accept(member);
  if (mayApproveOwn(roster, plan)) return accept(member);
  return refuse('self_approval', { principal: actorId, tier: plan.tier });
}

export type Tally = {
  readonly approving: readonly Vote[];
  readonly rejecting: readonly Vote[];
  readonly missing: number;
};

/** Counts the votes of those who are still on the roster, once per person. */
export function tally(ballot: Ballot, votes: readonly Vote[]): Tally {
  const standing = votes.flatMap((vote) => {
    const voter = checkVoter(ballot, vote.principal);
    return voter.is === 'accepted' ? [{ vote, person: personOf(voter.value) }] : [];
  });
  const approving = standing.filter(
    ({ vote }) => vote.choice === 'approve' && (ballot.plan.tier < SIGNED_TIER || vote.signed),
  );
  // As the roster says now: two accounts may have turned out to be one person since they voted.
  const persons = new Set(approving.map(({ person }) => person)).size;
  const rejecting = standing.filter(({ vote }) => vote.choice === 'reject').map(({ vote }) => vote);
  return {
    approving: approving.map(({ vote }) => vote),
    rejecting,
    missing: Math.max(0, ballot.plan.quorum - persons),
  };
}

/** Everybody who may vote at all. */
export function electorate(ballot: Ballot): readonly Member[] {
  return ballot.roster.members.filter((member) => checkVoter(ballot, member.principal_id).is === 'accepted');
}

export function isSelfApproved({ roster, proposers, plan }: Ballot, votes: readonly Vote[]): boolean {
  if (plan.tier === 0) return false;
  return votes.some((vote) => {
    const member = roster.members.find((one) => one.principal_id === vote.principal);
    return member !== undefined && isProposer(roster, proposers, member);
  });
}

function mayApproveOwn(roster: Roster, plan: Plan): boolean {
  const persons = new Set(roster.members.filter(isPerson).map(personOf));
  return persons.size === 1 && plan.tier <= SELF_APPROVAL_TIER_MAX;
}
