// What people are asked about a mission: who can still answer, who cannot and why, and who says no.
import type { ReasonCode } from '../../reasons.ts';
import type { Approval, MissionCourse } from '../course/course.ts';
import { theStep } from '../course/steps.ts';
import { personOf, type Roster } from '../roster/roster.ts';
import { openQuestion } from './standing.ts';
import { ballotOf, checkVoter, electorate, tally } from './voters.ts';

/** What people are asked now: how many answers are missing, who can still give one, and who cannot and why. */
export type Asked = {
  readonly approval: Approval;
  readonly missing: number;
  readonly from: readonly string[];
  /** How many of the missing these can come to: less than `missing` where too few persons are left. */
  readonly possible: number;
  readonly cannot: readonly { readonly principal: string; readonly because: ReasonCode }[];
  /** Whose no stands. Nobody's who has left. */
  readonly rejecting: readonly string[];
};

/** Whose vote counts already is not asked again, under no other account either. Undefined while nobody is asked. */
export function askedOf({
  course,
  roster,
}: {
  readonly course?: MissionCourse | undefined;
  readonly roster: Roster;
}): Asked | undefined {
  if (course === undefined || course.plan === null || course.cancelled !== null) return undefined;
  const [, approval] = openQuestion(theStep(course)) ?? [];
  if (approval === undefined) return undefined;
  const ballot = ballotOf({ course, roster });
  const { approving, rejecting, missing } = tally(ballot, approval.votes);
  const agreed = new Set(approving.map(({ principal }) => personBehind(roster, principal)));
  const from = electorate(ballot).filter((member) => !agreed.has(personOf(member)));
  const people = roster.members.filter(({ roles }) => roles.includes('person'));
  const cannot = people.flatMap(({ principal_id: principal }) => {
    const voter = checkVoter(ballot, principal);
    return voter.is === 'refused' ? [{ principal, because: voter.code }] : [];
  });
  return {
    approval,
    missing,
    from: from.map(({ principal_id }) => principal_id),
    possible: Math.min(missing, new Set(from.map(personOf)).size),
    cannot,
    rejecting: rejecting.map(({ principal }) => principal),
  };
}

function personBehind({ members }: Roster, principal: string): string | undefined {
  const member = members.find((one) => one.principal_id === principal);
  return member === undefined ? undefined : personOf(member);
}
