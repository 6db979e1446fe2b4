// How approvals come about and go: asked for on one digest, voted on by people, granted when the quorum is there.
import { DENIED } from '../attempt/blame.ts';
import type { EventOf, EventType } from '../event.ts';
import { enforced } from '../enforced.ts';
import { APPROVAL_HOURS_MAX, VOTES_PER_APPROVAL_MAX } from '../limits.ts';
import { currentPlan, onAttempt, type InCourse } from '../course/in-course.ts';
import { isShrunk } from '../course/plan.ts';
import {
  without,
  withoutGrantsOf,
  type Approval,
  type Course,
  type EndedApproval,
  type Vote,
} from '../course/course.ts';
import { personOf, type Member } from '../roster/roster.ts';
import { HOUR_SECONDS, secondsBetween } from '../time.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { ballotOf, checkSigned, checkVoter, isSelfApproved, SIGNED_TIER, tally } from './voters.ts';
import { overCourse, type Rules } from '../rule.ts';

function requestApproval(at: InCourse, event: EventOf<'approval.requested'>): Verdict<Course> {
  const { course } = at;
  const { approval_type: type, digest, carries, expires_at, requested_action_ref: request } = event.payload;
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const expected = type === 'plan' ? plan.value.plan_digest : course.attempt?.planned?.digest;
  if (digest !== expected) return refuse('digest_unknown', { digest, expected: expected ?? '' });
  if (course.requests[request] === undefined) return refuse('action_unknown', { action_request: request });
  if (course.approvals[event.entity_id] !== undefined) return refuse('approval_exists', { approval: event.entity_id });
  if (expires_at <= event.occurred_at) return refuse('approval_expired', { expires_at });
  if (secondsBetween(event.occurred_at, expires_at) > APPROVAL_HOURS_MAX * HOUR_SECONDS)
    return refuse('window_too_long', { expires_at, hours_max: APPROVAL_HOURS_MAX });
  const votes = carries === null ? accept([]) : carriedVotes(course, event.payload, carries);
  if (votes.is === 'refused') return votes;
  const step = course.step!.id;
  const former = Object.entries(course.approvals).flatMap(([id, one]) =>
    one.type === type && (type === 'plan' || one.step === step) ? [id] : [],
  );
  const approval: Approval = { type, step, digest, request, granted: false, expires_at, votes: votes.value };
  const approvals = { ...without(course.approvals, ...former), [event.entity_id]: approval };
  const grants = withoutGrantsOf(course, ...former);
  return onAttempt(event, { ...course, approvals, grants, former_plan: null }, 'awaiting_approval');
}

/** Votes were for a digest; they cover another one only if it asks for nothing that they did not cover. */
function carriedVotes(
  course: Course,
  { approval_type: type, expires_at }: EventOf<'approval.requested'>['payload'],
  from: string,
): Verdict<readonly Vote[]> {
  const former = course.approvals[from];
  const { plan, former_plan } = course;
  if (former === undefined || former.type !== type || plan === null)
    return refuse('approval_unknown', { approval: from });
  // That a plan asks for no more is partly its author's word: what people signed at tier 3 is for that one digest.
  const tier = Math.max(plan.tier, former_plan?.tier ?? 0);
  if (tier >= SIGNED_TIER && enforced('no_votes_carried_at_tier_3')) return refuse('votes_not_carried', { tier });
  // Carried over again and again, a vote would never expire.
  if (expires_at > former.expires_at) return refuse('approval_expired', { expires_at: former.expires_at });
  // A vote taken back before the start: the plan is the same, and so are the others' votes.
  if (former.digest === plan.plan_digest) return accept(former.votes);
  if (former_plan?.plan_digest !== former.digest || !isShrunk(former_plan, plan))
    return refuse('approval_stale', { digest: former.digest, current: plan.plan_digest });
  return accept(former.votes);
}

function castVote(at: InCourse, event: EventOf<'vote.cast'>): Verdict<Course> {
  const { course } = at;
  const { approval_id, digest, choice, forge } = event.payload;
  const approval = course.approvals[approval_id];
  if (approval === undefined) return refuse('approval_unknown', { approval: approval_id });
  if (digest !== approval.digest) return refuse('approval_stale', { digest, current: approval.digest });
  if (approval.granted) return refuse('approval_settled', { approval: approval_id });
  if (event.occurred_at > approval.expires_at) return refuse('approval_expired', { expires_at: approval.expires_at });
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const voter = checkVoter(ballotOf(at), event.actor_id);
  if (voter.is === 'refused') return voter;
  const member = voter.value;
  const said = checkWord(at, member, forge);
  if (said.is === 'refused') return said;
  const vote: Vote = {
    id: event.entity_id,
    person: personOf(member),
    principal: member.principal_id,
    choice,
    signed: forge === null,
  };
  // A later vote of the same person replaces the earlier one.
  const former = approval.votes.find(({ person }) => person === vote.person);
  const replaced = checkStands(plan.value, former, forge);
  if (replaced.is === 'refused') return replaced;
  const others = approval.votes.filter(({ person }) => person !== vote.person);
  if (others.length >= VOTES_PER_APPROVAL_MAX) return refuse('limit_reached', { votes_max: VOTES_PER_APPROVAL_MAX });
  return accept(withApproval(course, approval_id, { ...approval, votes: [...others, vote] }));
}

function withdrawVote(at: InCourse, event: EventOf<'vote.withdrawn'>): Verdict<Course> {
  const { course } = at;
  const { approval_id, forge } = event.payload;
  const approval = course.approvals[approval_id];
  if (approval === undefined) return refuse('approval_unknown', { approval: approval_id });
  if (approval.granted && !isUnused(course)) return refuse('mission_under_way', { mission: at.mission });
  const vote = approval.votes.find((one) => one.principal === event.actor_id);
  if (vote === undefined) return refuse('vote_missing', { principal: event.actor_id });
  const member = at.roster.members.find((one) => one.principal_id === event.actor_id);
  if (member === undefined) return refuse('not_authorised', { principal: event.actor_id });
  const said = checkWord(at, member, forge);
  if (said.is === 'refused') return said;
  const isLeft = checkStands(course.plan, vote, forge);
  if (isLeft.is === 'refused') return isLeft;
  const votes = approval.votes.filter((one) => one !== vote);
  if (!approval.granted) return accept(withApproval(course, approval_id, { ...approval, votes }));
  // Nothing was started under it: the authority falls with the vote.
  const fallen = withApproval(course, approval_id, { ...approval, granted: false, votes });
  return onAttempt(event, { ...fallen, grants: withoutGrantsOf(course, approval_id) }, 'awaiting_approval');
}

/** At tier 3 no gate's word ends what a person signed: a no that stops a mission would be gone whenever a gate lies. */
function checkStands(
  plan: Course['plan'],
  vote: Vote | undefined,
  forge: EventOf<'vote.cast'>['payload']['forge'],
): Verdict<undefined> {
  return vote?.signed === true ? checkSigned(plan, forge) : accept(undefined);
}

/** A relayed word is the account's that the roster names, a signed one its signer's: a gate cannot sign for a person. */
export function checkWord(
  { signer }: Pick<InCourse, 'signer'>,
  member: Member,
  forge: EventOf<'vote.cast'>['payload']['forge'],
): Verdict<undefined> {
  const isTheirs =
    forge === null
      ? signer.principal_id === member.principal_id
      : signer.roles.includes('gate') && forge.user_id === member.forge_user_id;
  if (isTheirs) return accept(undefined);
  return refuse('actor_mismatch', { actor: member.principal_id, signer: signer.principal_id });
}

function grantApproval(at: InCourse, event: EventOf<'approval.granted'>): Verdict<Course> {
  const { course } = at;
  const approval = course.approvals[event.entity_id];
  if (approval === undefined) return refuse('approval_unknown', { approval: event.entity_id });
  const { digest, votes, self_approved } = event.payload;
  if (digest !== approval.digest) return refuse('approval_stale', { digest, current: approval.digest });
  if (approval.granted) return refuse('approval_settled', { approval: event.entity_id });
  if (event.occurred_at > approval.expires_at) return refuse('approval_expired', { expires_at: approval.expires_at });
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const ballot = ballotOf(at);
  const { approving, rejecting, missing } = tally(ballot, approval.votes);
  if (rejecting.length > 0) return refuse('rejected', { by: rejecting.map(({ principal }) => principal) });
  if (missing > 0) return refuse('quorum_missing', { missing, quorum: ballot.plan.quorum });
  if (votes.join() !== approving.map(({ id }) => id).join() || self_approved !== isSelfApproved(ballot, approving))
    return refuse('event_malformed', { event_type: event.event_type, at: 'votes' });
  const owed = owing(course, event.entity_id, { request: approval.request, result: 'succeeded' });
  return onAttempt(event, withApproval(owed, event.entity_id, { ...approval, granted: true }), 'authorized');
}

function endApproval(at: InCourse, event: EventOf<'approval.expired' | 'approval.invalidated'>): Verdict<Course> {
  const { course } = at;
  const approval = course.approvals[event.entity_id];
  if (approval === undefined) return refuse('approval_unknown', { approval: event.entity_id });
  if (event.event_type === 'approval.expired' && event.occurred_at <= approval.expires_at)
    return refuse('approval_settled', { approval: event.entity_id });
  const approvals = without(course.approvals, event.entity_id);
  const owed = owing(course, event.entity_id, { request: approval.request, result: RESULT_OF[event.event_type] });
  return accept({ ...owed, approvals, grants: withoutGrantsOf(course, event.entity_id) });
}

const RESULT_OF = {
  'approval.expired': 'expired',
  'approval.invalidated': 'refused',
} as const;

/** Whoever settles an approval says so in its receipt, in the same transaction. */
function owing(course: Course, approval: string, settled: EndedApproval): Course {
  return { ...course, owed: { ...course.owed, [approval]: settled } };
}

/** One voter is enough, and nothing brings it back: the attempt is over with it. */
function denyApproval(at: InCourse, event: EventOf<'approval.denied'>): Verdict<Course> {
  const { course } = at;
  const { forge } = event.payload;
  const approval = course.approvals[event.entity_id];
  if (approval === undefined) return refuse('approval_unknown', { approval: event.entity_id });
  if (approval.granted) return refuse('approval_settled', { approval: event.entity_id });
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const voter = checkVoter(ballotOf(at), event.actor_id);
  if (voter.is === 'refused') return voter;
  const said = checkWord(at, voter.value, forge);
  if (said.is === 'refused') return said;
  const signed = checkSigned(plan.value, forge);
  if (signed.is === 'refused') return signed;
  const [cell] = Object.keys(course.cells);
  if (cell !== undefined) return refuse('cell_open', { cell });
  if (Object.keys(course.effects).length > 0)
    return refuse('receipt_missing', { effects: Object.keys(course.effects).length });
  const approvals = without(course.approvals, event.entity_id);
  const owed = owing(course, event.entity_id, { request: approval.request, result: 'denied' });
  // The requests stay for the receipt, which names what policy said; nothing can be granted for them any more.
  return onAttempt(event, { ...owed, approvals, grants: {} }, 'cancelled', { because: DENIED });
}

/** Nobody has worked under it yet. */
function isUnused(course: Course): boolean {
  return course.lease === null && course.attempt?.status === 'authorized' && course.attempt.work === null;
}

function withApproval(course: Course, id: string, approval: Approval): Course {
  return { ...course, approvals: { ...course.approvals, [id]: approval } };
}

export const approvalRules = {
  'approval.requested': overCourse(requestApproval),
  'vote.cast': overCourse(castVote),
  'vote.withdrawn': overCourse(withdrawVote),
  'approval.granted': overCourse(grantApproval),
  'approval.denied': overCourse(denyApproval),
  'approval.expired': overCourse(endApproval),
  'approval.invalidated': overCourse(endApproval),
} satisfies Partial<Rules<EventType>>;
