// Requests and what policy says to them, and the grants that follow: the only way from a wish to an effect.
import type { EventOf } from '../event.ts';
import { APPROVAL_HOURS_MAX, OPEN_GRANTS_MAX, OPEN_REQUESTS_MAX } from '../limits.ts';
import { ballotOf, tally } from '../approval/voters.ts';
import { isBeingCaused, without, type Course, type Request } from '../mission/course.ts';
import { attemptOf, currentPlan, onAttempt, type InCourse } from '../mission/in-course.ts';
import { HOUR_SECONDS, secondsBetween } from '../time.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { checkAuthority } from './authority.ts';
import { CLASS_OF } from './classes.ts';

export function requestAction({ course }: InCourse, event: EventOf<'action.requested'>): Verdict<Course> {
  const { action_class, kind, params_ref, target_resources: targets } = event.payload;
  if (course.requests[event.entity_id] !== undefined)
    return refuse('action_exists', { action_request: event.entity_id });
  if (kind !== null && CLASS_OF[kind] !== action_class)
    return refuse('event_malformed', { event_type: event.event_type, at: 'payload.action_class' });
  if (Object.keys(course.requests).length >= OPEN_REQUESTS_MAX)
    return refuse('limit_reached', { open_requests_max: OPEN_REQUESTS_MAX });
  const requests = { ...course.requests, [event.entity_id]: { action_class, kind, targets, params_ref, policy: null } };
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  // What an attempt asks for besides running its agent is judged while it goes on; only its birth waits for policy.
  if (attempt.value.status !== 'created') return accept({ ...course, requests });
  return onAttempt(event, { ...course, requests }, 'awaiting_policy');
}

export function evaluatePolicy({ course }: InCourse, event: EventOf<'policy.evaluated'>): Verdict<Course> {
  const { action_request_ref: id, policy, result } = event.payload;
  const request = course.requests[id];
  if (request === undefined) return refuse('action_unknown', { action_request: id });
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const planned = plan.value.policy;
  if (policy.digest !== planned.digest || policy.revision !== planned.revision)
    return refuse('policy_drifted', { judged: policy.digest, planned: planned.digest });
  const judged: Request = { ...request, policy: { ref: event.entity_id, result } };
  return accept({ ...course, requests: { ...course.requests, [id]: judged } });
}

export function issueGrant(at: InCourse, event: EventOf<'grant.issued'>): Verdict<Course> {
  const { course, signer } = at;
  const { action_class, action_request_ref, approval_ref, expires_at, issued_to_principal_id, max_uses } =
    event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const request = course.requests[action_request_ref];
  if (request === undefined) return refuse('action_unknown', { action_request: action_request_ref });
  if (action_class !== request.action_class || event.payload.policy_result_ref !== request.policy?.ref)
    return refuse('grant_mismatch', { action_request: action_request_ref });
  if (action_class !== 'execute_command' && !signer.roles.includes('writer'))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id });
  if (event.payload.resource_scope.some((one) => !request.targets.includes(one)))
    return refuse('grant_mismatch', { action_request: action_request_ref });
  const authority = checkAuthority(at, action_request_ref, approval_ref, event.occurred_at);
  if (authority.is === 'refused') return authority;
  if (secondsBetween(event.occurred_at, expires_at) > APPROVAL_HOURS_MAX * HOUR_SECONDS)
    return refuse('window_too_long', { expires_at, hours_max: APPROVAL_HOURS_MAX });
  if (Object.values(course.grants).some((one) => one.request === action_request_ref))
    return refuse('grant_exists', { action_request: action_request_ref });
  if (isBeingCaused(course, action_request_ref)) return refuse('effect_exists', { action_request: action_request_ref });
  if (Object.keys(course.grants).length >= OPEN_GRANTS_MAX)
    return refuse('limit_reached', { open_grants_max: OPEN_GRANTS_MAX });
  const grant = {
    request: action_request_ref,
    action_class,
    approval: approval_ref,
    to: issued_to_principal_id,
    scope: event.payload.resource_scope,
    uses_left: max_uses,
    expires_at,
  };
  const next = { ...course, grants: { ...course.grants, [event.entity_id]: grant } };
  return attempt.value.status === 'awaiting_policy' ? onAttempt(event, next, 'authorized') : accept(next);
}

export function revokeGrant({ course }: InCourse, event: EventOf<'grant.revoked'>): Verdict<Course> {
  if (course.grants[event.entity_id] === undefined) return refuse('grant_missing', { grant: event.entity_id });
  return accept({ ...course, grants: without(course.grants, event.entity_id) });
}

/** A grant to run is for whichever runner picks it up; which one did stands in the lease. */
export const ANY_RUNNER = 'runners';

/** One use of a grant by whom it was issued to, in its time; a used-up one is gone. */
export function useGrant(at: InCourse, grantId: string, now: string): Verdict<Course> {
  const { course, signer } = at;
  const grant = course.grants[grantId];
  if (grant === undefined) return refuse('grant_missing', { grant: grantId });
  const isForUser =
    grant.to === signer.principal_id || (grant.to === ANY_RUNNER && grant.action_class === 'execute_command');
  if (!isForUser) return refuse('grant_mismatch', { grant: grantId, to: grant.to });
  if (now > grant.expires_at) return refuse('grant_expired', { grant: grantId, expires_at: grant.expires_at });
  const approval = grant.approval === null ? undefined : course.approvals[grant.approval];
  if (approval !== undefined) {
    if (now > approval.expires_at) return refuse('approval_expired', { expires_at: approval.expires_at });
    // Whoever was taken off the roster since then no longer agrees.
    const { missing } = tally(ballotOf(at), approval.votes);
    if (missing > 0) return refuse('quorum_missing', { digest: approval.digest, missing });
  }
  const left = grant.uses_left - 1;
  const grants =
    left > 0 ? { ...course.grants, [grantId]: { ...grant, uses_left: left } } : without(course.grants, grantId);
  return accept({ ...course, grants });
}
