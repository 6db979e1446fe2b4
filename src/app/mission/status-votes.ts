// Who said what about a mission, for people to see: the votes that stand, and once it is over those that it was done by.
import type { StatusView } from '../../forge-text/status-view.ts';
import { ballotOf, isSelfApproved } from '../../kernel/approval/voters.ts';
import type { Approval, Vote } from '../../kernel/mission/course.ts';
import type { ReadEvent } from '../../kernel/read.ts';
import { personOf, type Roster } from '../../kernel/roster/roster.ts';
import type { MissionState } from '../../kernel/state.ts';

export function votesOf(events: readonly ReadEvent[], state: MissionState): StatusView['votes'] {
  const { course, roster } = state;
  if (course === undefined || course.plan === null) return [];
  const ballot = ballotOf({ course, roster });
  const cast = castVotes(events);
  // When it is over nothing binds anybody any more, and still it is told who agreed.
  const standing =
    course.end === null
      ? Object.values(course.approvals).flatMap(({ type, votes }) => votes.map((vote) => ({ type, vote })))
      : grantedVotes(events, cast, roster);
  return standing.map(({ type, vote }) => ({
    login: vote.principal,
    choice: vote.choice,
    scope: type,
    how: vote.signed ? ('signed' as const) : ('comment' as const),
    at: cast.get(vote.id)?.occurred_at ?? '',
    isSelf: isSelfApproved(ballot, [vote]),
  }));
}

type Cast = Extract<ReadEvent, { event_type: 'vote.cast' }>;

function castVotes(events: readonly ReadEvent[]): ReadonlyMap<string, Cast> {
  return new Map(
    events.flatMap((event) => (event.event_type === 'vote.cast' ? [[event.entity_id, event] as const] : [])),
  );
}

/** The votes behind the latest approval of each kind. */
function grantedVotes(
  events: readonly ReadEvent[],
  cast: ReadonlyMap<string, Cast>,
  { members }: Roster,
): readonly { readonly type: Approval['type']; readonly vote: Vote }[] {
  const types = new Map<string, Approval['type']>();
  const granted = new Map<Approval['type'], readonly string[]>();
  for (const event of events) {
    if (event.event_type === 'approval.requested') types.set(event.entity_id, event.payload.approval_type);
    if (event.event_type === 'approval.granted') granted.set(types.get(event.entity_id) ?? 'plan', event.payload.votes);
  }
  return [...granted].flatMap(([type, votes]) =>
    votes.flatMap((id) => {
      const event = cast.get(id);
      if (event === undefined) return [];
      const { actor_id: principal, payload } = event;
      const member = members.find((one) => one.principal_id === principal);
      const person = member === undefined ? principal : personOf(member);
      return [{ type, vote: { id, person, principal, choice: payload.choice, signed: payload.forge === null } }];
    }),
  );
}
