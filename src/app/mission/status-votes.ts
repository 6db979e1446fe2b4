// Who said what about a mission, for people to see: the votes that stand, and once it is over those that it was done by.
import type { StatusView } from '../../forge-text/status-view.ts';
import { ballotOf, isSelfApproved } from '../../kernel/approval/voters.ts';
import type { Approval, Vote } from '../../kernel/course/course.ts';
import { personOf, type Roster } from '../../kernel/roster/roster.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Told } from './told.ts';

export function votesOf(told: Told, { course, roster }: MissionState): StatusView['votes'] {
  if (course === undefined || course.plan === null) return [];
  const ballot = ballotOf({ course, roster });
  // When it is over nothing binds anybody any more, and still it is told who agreed.
  const standing =
    course.end === null
      ? Object.values(course.approvals).flatMap(({ type, votes }) => votes.map((vote) => ({ type, vote })))
      : grantedVotes(told, roster);
  return standing.map(({ type, vote }) => ({
    login: vote.principal,
    choice: vote.choice,
    scope: type,
    how: vote.signed ? ('signed' as const) : ('forge' as const),
    at: told.votes[vote.id]?.at ?? '',
    isSelf: isSelfApproved(ballot, [vote]),
  }));
}

/** By principal; by account where the roster knew none. */
export function proposedBy({ course }: Pick<MissionState, 'course'>): StatusView['proposed'] {
  if (course === undefined) return null;
  const by = course.proposers.map(({ principal_id, forge_user_id }) => principal_id ?? `account ${forge_user_id}`);
  return { by, how: course.signed ? 'signed' : 'forge' };
}

/** The votes behind the latest approval of each kind. */
function grantedVotes(
  { granted, votes }: Told,
  { members }: Roster,
): readonly { readonly type: Approval['type']; readonly vote: Vote }[] {
  return (Object.keys(granted) as Approval['type'][]).flatMap((type) =>
    (granted[type] ?? []).flatMap((id) => {
      const cast = votes[id];
      if (cast === undefined) return [];
      const { principal, choice, comment } = cast;
      const member = members.find((one) => one.principal_id === principal);
      const person = member === undefined ? principal : personOf(member);
      return [{ type, vote: { id, person, principal, choice, signed: comment === null } }];
    }),
  );
}
