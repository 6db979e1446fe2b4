// Grants: what policy and people allow becomes something that can be used, for so long, so often, by whom it names.
import { checkAuthority } from '../action/authority.ts';
import { ballotOf, tally } from '../approval/voters.ts';
import { isBeingCaused, without, type Attempt, type Course } from '../course/course.ts';
import { attemptOf, onAttempt, type InCourse } from '../course/in-course.ts';
import { enforced } from '../enforced.ts';
import type { EventOf, EventType } from '../event.ts';
import { APPROVAL_HOURS_MAX, OPEN_GRANTS_MAX } from '../limits.ts';
import { overCourse, type Rules } from '../rule.ts';
import { HOUR_SECONDS, secondsBetween } from '../time.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

function issueGrant(at: InCourse, event: EventOf<'grant.issued'>): Verdict<Course> {
  const { course, signer } = at;
  const { action_class, action_request_ref, approval_ref, expires_at, issued_to_principal_id, max_uses } =
    event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const request = course.requests[action_request_ref];
  if (request === undefined) return refuse('action_unknown', { action_request: action_request_ref });
  if (enforced('receipt_once') && request.receipted)
    return refuse('receipt_exists', { action_request: action_request_ref });
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
  if (action_class === 'execute_command' && enforced('run_grant_once')) {
    const births = checkBirths(course, attempt.value, max_uses);
    if (births.is === 'refused') return births;
  }
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

/** One agent, once: whoever grants cannot have it run again, neither by a second grant nor by one for many uses. */
const BIRTHS_PER_ATTEMPT = 1;

function checkBirths({ grants }: Course, { births }: Attempt, uses: number): Verdict<undefined> {
  const open = Object.values(grants).filter((one) => one.action_class === 'execute_command');
  const granted = open.reduce((sum, { uses_left }) => sum + uses_left, births + uses);
  return granted > BIRTHS_PER_ATTEMPT
    ? refuse('births_exhausted', { births, granted, births_max: BIRTHS_PER_ATTEMPT })
    : accept(undefined);
}

function revokeGrant({ course }: InCourse, event: EventOf<'grant.revoked'>): Verdict<Course> {
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
  if (enforced('receipt_once') && course.requests[grant.request]?.receipted)
    return refuse('receipt_exists', { action_request: grant.request });
  const isForUser =
    grant.to === signer.principal_id || (grant.to === ANY_RUNNER && grant.action_class === 'execute_command');
  if (!isForUser) return refuse('grant_mismatch', { grant: grantId, to: grant.to });
  if (now > grant.expires_at) return refuse('grant_expired', { grant: grantId, expires_at: grant.expires_at });
  if (grant.approval !== null) {
    const approval = course.approvals[grant.approval];
    // What fell in one step falls in all.
    if (approval?.granted !== true) return refuse('quorum_missing', { approval: grant.approval });
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

export const grantRules = {
  'grant.issued': overCourse(issueGrant),
  'grant.revoked': overCourse(revokeGrant),
} satisfies Partial<Rules<EventType>>;
