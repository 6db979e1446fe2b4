// How a mission comes to a plan and to its end: proposals, revisions, the digest that people will type.
import type { EventOf } from '../event.ts';
import { isOver } from '../attempt/status.ts';
import { QUORUM_MIN } from '../approval/voters.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { withoutAuthority, type Course } from './course.ts';
import type { InCourse } from './in-course.ts';
import { planDigest } from './plan.ts';

/** Also asked by whoever plans a proposal in the very transaction that makes it. */
export function propose(
  course: Course | undefined,
  { proposal, proposers, revision }: EventOf<'mission.proposed'>['payload'],
  mission: string,
): Verdict<Course> {
  const expected = (course?.revision ?? 0) + 1;
  if (revision !== expected) return refuse('revision_stale', { revision, expected });
  if (course === undefined) return accept({ ...BLANK, revision, proposal, proposers });
  if (isUnderWay(course)) return refuse('mission_under_way', { mission });
  // Whoever had a hand in an earlier revision still has one in this.
  const forgotten = course.proposers.filter(
    (one) =>
      !proposers.some((other) => other.principal_id === one.principal_id && other.forge_user_id === one.forge_user_id),
  );
  if (forgotten.length > 0) return refuse('proposer_forgotten', { count: forgotten.length });
  return accept({ ...withoutAuthority(course), revision, proposal, proposers });
}

export function computePlan(
  { course, crypto, mission, roster }: InCourse,
  event: EventOf<'plan.computed'>,
): Verdict<Course> {
  const { plan_digest, ...terms } = event.payload;
  if (isUnderWay(course)) return refuse('mission_under_way', { mission });
  if (terms.revision !== course.revision || terms.proposal !== course.proposal)
    return refuse('revision_stale', { revision: terms.revision, expected: course.revision });
  if (terms.roster_n !== roster.n) return refuse('plan_stale', { roster: terms.roster_n, current: roster.n });
  if (plan_digest !== planDigest(crypto, mission, terms))
    return refuse('plan_digest_mismatch', { digest: plan_digest });
  const least = QUORUM_MIN[terms.tier]!;
  if (terms.quorum < least) return refuse('quorum_too_small', { tier: terms.tier, quorum: terms.quorum, least });
  return accept({ ...withoutAuthority(course), plan: event.payload, former_plan: course.plan });
}

export function endMission({ course, mission, signer }: InCourse, event: EventOf<'mission.ended'>): Verdict<Course> {
  const { outcome, because } = event.payload;
  const { attempt } = course;
  // A gate ends what never came to an effect; that all was done only the writer can say, who did it.
  if (outcome === 'done' && !signer.roles.includes('writer'))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id, outcome });
  if (outcome === 'done' && attempt?.status !== 'succeeded')
    return refuse('receipt_missing', { mission, attempt: attempt?.status ?? 'none' });
  if (attempt !== null && !isOver(attempt.status)) return refuse('mission_under_way', { mission });
  if (Object.keys(course.effects).length > 0)
    return refuse('receipt_missing', { mission, effects: Object.keys(course.effects).length });
  if (course.cell !== null || course.lease !== null) return refuse('mission_under_way', { mission });
  return accept({ ...course, approvals: {}, requests: {}, grants: {}, end: { outcome, because } });
}

/** Somebody works on it, or did: what was approved is being carried out and no longer changes. */
function isUnderWay({ lease, attempt, effects }: Course): boolean {
  if (lease !== null || Object.keys(effects).length > 0) return true;
  return attempt !== null && !AT_REST.has(attempt.status);
}

/** Not begun, or over without having ended the mission. */
const AT_REST: ReadonlySet<string> = new Set([
  'created',
  'awaiting_policy',
  'awaiting_approval',
  'authorized',
  'superseded',
  'failed',
  'cancelled',
]);

const BLANK: Omit<Course, 'revision' | 'proposal' | 'proposers'> = {
  as_of: '',
  plan: null,
  former_plan: null,
  step: null,
  attempt: null,
  requests: {},
  approvals: {},
  grants: {},
  fence: 0,
  lease: null,
  cell: null,
  effects: {},
  receipts: 0,
  anchor: null,
  end: null,
};
