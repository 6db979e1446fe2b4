// Whether there is authority for what a grant would allow: policy's word and, where people have to agree, theirs.
import { ballotOf, tally } from '../approval/voters.ts';
import { isPlanned, type Approval, type Course } from '../course/course.ts';
import { currentPlan, type InCourse } from '../course/in-course.ts';
import { enforced } from '../enforced.ts';
import { TIER_OF_CLASS } from '../policy/risk.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { ActionClass } from '../course/classes.ts';

/** Typed so that it can be named, and refused whatever a policy says. */
const NEVER_GRANTED: ActionClass = 'payment_or_spending';
/** From here on people also see the exact commits and texts before they leave. */
export const EFFECTS_APPROVAL_TIER = 2;

/**
 * What a mission's plan was approved for is covered by that approval as long as it stands; from tier 2 on effects need a
 * second one, for exactly these.
 */
export function checkAuthority(
  at: InCourse,
  requestId: string,
  approvalRef: string | null,
  now: string,
): Verdict<undefined> {
  const { course } = at;
  const request = course.requests[requestId]!;
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const result = request.policy?.result;
  if ((result !== 'allow' && result !== 'require_approval') || request.action_class === NEVER_GRANTED)
    return refuse('policy_refused', { result: result ?? 'none' });
  const least = TIER_OF_CLASS[request.action_class];
  if (plan.value.tier < least && enforced('tier_covers_classes'))
    return refuse('tier_too_low', { tier: plan.value.tier, least, action_class: request.action_class });
  if (enforced('effects_from_computed_set') && request.kind !== null && !isPlanned(course, requestId))
    return refuse('effect_unplanned', { kind: request.kind });
  const approval = approvalRef === null ? undefined : course.approvals[approvalRef];
  if (request.kind !== null && plan.value.tier >= EFFECTS_APPROVAL_TIER && approval?.type !== 'effects')
    return refuse('effects_approval_missing', { kind: request.kind });
  if (approvalRef === null)
    return result === 'allow' && plan.value.quorum === 0 ? accept(undefined) : refuse('quorum_missing');
  if (approval === undefined) return refuse('approval_unknown', { approval: approvalRef });
  if (!approval.granted) return refuse('quorum_missing', { approval: approvalRef });
  if (now > approval.expires_at) return refuse('approval_expired', { expires_at: approval.expires_at });
  const current = approval.type === 'plan' ? plan.value.plan_digest : course.attempt?.planned?.digest;
  if (approval.digest !== current) return refuse('approval_stale', { digest: approval.digest, current: current ?? '' });
  if (!covers(course, approval, requestId)) return refuse('effect_unplanned', { kind: request.kind });
  // Whoever has left the roster since no longer agrees.
  const { missing } = tally(ballotOf(at), approval.votes);
  return missing === 0 ? accept(undefined) : refuse('quorum_missing', { approval: approvalRef, missing });
}

/** People agreed to kinds of effects when they agreed to the plan, and to these exact ones when they agreed to them. */
function covers({ attempt, plan, requests }: Course, { type }: Approval, requestId: string): boolean {
  if (type === 'effects') return attempt?.planned?.effects.some(({ request }) => request === requestId) === true;
  const kind = requests[requestId]?.kind ?? null;
  return kind === null || plan?.asks.some((asked) => asked.kind === kind) === true;
}
