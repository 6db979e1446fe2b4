// How a mission comes to a plan and to its end: proposals, revisions, the digest that people will type.
import type { EventOf, EventType } from '../event.ts';
import { isOver } from '../course/attempt-status.ts';
import { EFFECT_KINDS } from '../course/classes.ts';
import { electorate, QUORUM_MIN, SIGNED_TIER } from '../approval/voters.ts';
import { enforced } from '../enforced.ts';
import { TIER_OF_CLASS } from '../policy/risk.ts';
import { isPerson, personOf } from '../roster/roster.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { MissionCourse, Step } from '../course/course.ts';
import type { InMission } from '../course/in-course.ts';
import { everyStep } from '../course/steps.ts';
import { cancelMission } from './cancel.ts';
import { holdMission, unholdMission } from './hold.ts';
import { planDigest, type Plan } from '../course/plan.ts';
import { checkProposers, withPersons, type Proposed, type ProposedBy } from '../course/proposers.ts';
import { overAllSteps, overBeginning, type Rules } from '../rule.ts';

/** Also asked by whoever plans a proposal in the very transaction that makes it. */
export function propose(course: MissionCourse | undefined, event: Proposed, by: ProposedBy): Verdict<MissionCourse> {
  const { proposal, proposers: named, revision } = event.payload;
  const expected = (course?.revision ?? 0) + 1;
  if (revision !== expected) return refuse('revision_stale', { revision, expected });
  if (course !== undefined && isUnderWay(course)) return refuse('mission_under_way', { mission: by.mission });
  const before = course?.proposers ?? [];
  const checked = checkProposers(before, event, by);
  if (checked.is === 'refused') return checked;
  const proposers = withPersons(named, { before, roster: by.roster });
  const signed = isPerson(by.signer) && event.actor_id === by.signer.principal_id;
  return accept({
    ...(course === undefined ? BLANK : withoutAuthority(course)),
    revision,
    proposal,
    proposers,
    signed,
  });
}

function computePlan(
  { course, crypto, mission, roster }: InMission,
  event: EventOf<'plan.computed'>,
): Verdict<MissionCourse> {
  const { plan_digest, ...terms } = event.payload;
  if (isUnderWay(course)) return refuse('mission_under_way', { mission });
  if (terms.revision !== course.revision || terms.proposal !== course.proposal)
    return refuse('revision_stale', { revision: terms.revision, expected: course.revision });
  if (terms.roster_n !== roster.n) return refuse('plan_stale', { roster: terms.roster_n, current: roster.n });
  if (plan_digest !== planDigest(crypto, mission, terms))
    return refuse('plan_digest_mismatch', { digest: plan_digest });
  // On which base a step begins that depends on others is not defined yet: nobody may agree to what nobody can say.
  if (terms.steps.length > STEPS_MAX) return refuse('several_steps', { steps: terms.steps.length });
  const least = QUORUM_MIN[terms.tier]!;
  if (terms.quorum < least) return refuse('quorum_too_small', { tier: terms.tier, quorum: terms.quorum, least });
  const tier = checkTier(course, terms);
  if (tier.is === 'refused') return tier;
  const plan = event.payload;
  const voters = electorate({ roster, proposers: course.proposers, plan });
  if (enforced('quorum_within_reach') && new Set(voters.map(personOf)).size < plan.quorum)
    return refuse('quorum_unreachable', {
      tier: plan.tier,
      quorum: plan.quorum,
      voters: voters.map(({ principal_id }) => principal_id),
    });
  return accept({ ...withoutAuthority(course), plan, former_plan: course.plan });
}

const STEPS_MAX = 1;

/** What is asked for decides how many have to agree, and not the word of whoever planned it. */
function checkTier({ signed }: MissionCourse, { asks, tier }: Omit<Plan, 'plan_digest'>): Verdict<undefined> {
  if (enforced('tier_covers_classes'))
    for (const { action_class, kind } of asks) {
      if (kind !== null && EFFECT_KINDS[kind].actionClass !== action_class)
        return refuse('event_malformed', { event_type: 'plan.computed', at: 'payload.asks' });
      const least = TIER_OF_CLASS[action_class];
      if (tier < least) return refuse('tier_too_low', { tier, least, action_class });
    }
  return tier >= SIGNED_TIER && !signed && enforced('signed_proposal_at_tier_3')
    ? refuse('proposal_unsigned', { tier })
    : accept(undefined);
}

function endMission({ course, mission, signer }: InMission, event: EventOf<'mission.ended'>): Verdict<MissionCourse> {
  const { outcome, because } = event.payload;
  const steps = Object.values(course.steps);
  // A gate ends what never came to an effect; that all was done only the writer can say, who did it.
  if (outcome === 'done' && !signer.roles.includes('writer'))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id, outcome });
  const undone = steps.find(({ attempt }) => attempt?.status !== 'succeeded');
  if (outcome === 'done' && (undone !== undefined || steps.length < (course.plan?.steps.length ?? 1)))
    return refuse('receipt_missing', { mission, attempt: undone?.attempt?.status ?? 'none' });
  // What was done and receipted cannot be called off afterwards.
  if (outcome !== 'done' && steps.length > 0 && undone === undefined)
    return refuse('mission_succeeded', { mission, outcome });
  for (const { attempt, effects, cells, lease } of steps) {
    if (attempt !== null && !isOver(attempt.status)) return refuse('mission_under_way', { mission });
    const owed = Object.keys(effects).length;
    if (owed > 0) return refuse('receipt_missing', { mission, effects: owed });
    if (Object.keys(cells).length > 0 || lease !== null) return refuse('mission_under_way', { mission });
  }
  const over = everyStep(course, (step) => ({ ...step, requests: {}, grants: {} }));
  return accept({ ...over, approvals: {}, held: null, end: { outcome, because } });
}

/** Somebody works on one of its steps, or did: what was approved is being carried out and no longer changes. */
export function isUnderWay({ steps }: MissionCourse): boolean {
  return Object.values(steps).some(
    ({ lease, effects, attempt }) =>
      lease !== null || Object.keys(effects).length > 0 || (attempt !== null && !AT_REST.has(attempt.status)),
  );
}

/**
 * What was agreed to no longer binds anybody: grants and approvals fall, votes stay to be carried over. An attempt that
 * nobody has begun goes back to where policy is asked.
 */
function withoutAuthority(course: MissionCourse): MissionCourse {
  const approvals = Object.entries(course.approvals).map(([id, one]) => [id, { ...one, granted: false }] as const);
  return { ...everyStep(course, withoutGrants), approvals: Object.fromEntries(approvals) };
}

function withoutGrants(step: Step): Step {
  const { attempt } = step;
  const isWaiting = attempt?.status === 'awaiting_approval' || attempt?.status === 'authorized';
  return {
    ...step,
    requests: {},
    grants: {},
    attempt: isWaiting ? { ...attempt, status: 'awaiting_policy' } : attempt,
  };
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

const BLANK: Omit<MissionCourse, 'revision' | 'proposal' | 'proposers' | 'signed'> = {
  as_of: '',
  plan: null,
  former_plan: null,
  approvals: {},
  owed: {},
  fence: 0,
  receipts: 0,
  ids: [],
  anchor: null,
  held: null,
  cancelled: null,
  end: null,
  steps: {},
};

export const courseRules = {
  'mission.proposed': overBeginning(({ course, ...by }, event) => propose(course, event, by)),
  'plan.computed': overAllSteps(computePlan),
  'mission.cancelled': overAllSteps(cancelMission),
  'mission.held': overAllSteps(holdMission),
  'mission.unheld': overAllSteps(unholdMission),
  'mission.ended': overAllSteps(endMission),
  'projection.anchored': overAllSteps(({ course }, { payload: { comment_id, issue } }) =>
    accept({ ...course, anchor: { comment_id, issue } }),
  ),
} satisfies Partial<Rules<EventType>>;
