// Requests and what policy says to them: where every way from a wish to an effect begins.
import { enforced } from '../enforced.ts';
import type { EventOf, EventType } from '../event.ts';
import { OPEN_REQUESTS_MAX } from '../limits.ts';
import type { Course, Request } from '../course/course.ts';
import { attemptOf, currentPlan, onAttempt, type InCourse } from '../course/in-course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { EFFECT_KINDS } from '../course/classes.ts';
import { overCourse, type Rules } from '../rule.ts';

function requestAction({ course, signer }: InCourse, event: EventOf<'action.requested'>): Verdict<Course> {
  const { action_class, kind, params_ref, target_resources: targets } = event.payload;
  if (course.requests[event.entity_id] !== undefined)
    return refuse('action_exists', { action_request: event.entity_id });
  if (kind !== null && EFFECT_KINDS[kind].actionClass !== action_class)
    return refuse('event_malformed', { event_type: event.event_type, at: 'payload.action_class' });
  if (Object.keys(course.requests).length >= OPEN_REQUESTS_MAX)
    return refuse('limit_reached', { open_requests_max: OPEN_REQUESTS_MAX });
  // A runner hands work over; what is to come of it others ask for, who did not write it.
  const mayAskForEffects = signer.roles.includes('gate') || signer.roles.includes('writer');
  if (enforced('effects_from_computed_set') && kind !== null && !mayAskForEffects)
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id, kind });
  const asked: Request = { action_class, kind, targets, params_ref, policy: null, receipted: false };
  const requests = { ...course.requests, [event.entity_id]: asked };
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  // What an attempt asks for besides running its agent is judged while it goes on; only its birth waits for policy.
  if (attempt.value.status !== 'created') return accept({ ...course, requests });
  return onAttempt(event, { ...course, requests }, 'awaiting_policy');
}

function evaluatePolicy({ course }: InCourse, event: EventOf<'policy.evaluated'>): Verdict<Course> {
  const { action_request_ref: id, policy, result } = event.payload;
  const request = course.requests[id];
  if (request === undefined) return refuse('action_unknown', { action_request: id });
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const planned = plan.value.policy;
  if (policy.digest !== planned.digest || policy.revision !== planned.revision)
    return refuse('policy_drifted', { judged: policy.digest, planned: planned.digest });
  if (enforced('policy_result_final') && (request.policy !== null || isDeniedAlready(course, request, result)))
    return refuse('policy_result_final', { action_request: id, result: request.policy?.result ?? 'deny' });
  const judged: Request = { ...request, policy: { ref: event.entity_id, result } };
  return accept({ ...course, requests: { ...course.requests, [id]: judged } });
}

/** The same thing asked for again under another id: what policy denied once does not become something else by it. */
function isDeniedAlready(
  { requests }: Course,
  { action_class, kind, targets }: Request,
  result: EventOf<'policy.evaluated'>['payload']['result'],
): boolean {
  if (result === 'deny') return false;
  return Object.values(requests).some(
    (one) =>
      one.policy?.result === 'deny' &&
      one.action_class === action_class &&
      one.kind === kind &&
      one.targets.some((target) => targets.includes(target)),
  );
}

export const actionRules = {
  'action.requested': overCourse(requestAction),
  'policy.evaluated': overCourse(evaluatePolicy),
} satisfies Partial<Rules<EventType>>;
