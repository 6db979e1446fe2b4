// Leases: one at a time, each with a higher fence than any before it.
import type { EventOf, EventType } from '../event.ts';
import { attemptOf, onAttempt, type InCourse } from '../course/in-course.ts';
import type { Course, Lease } from '../course/course.ts';
import { MINUTE_SECONDS, secondsBetween } from '../time.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overCourse, type Rules } from '../rule.ts';

function acquireLease({ course, signer }: InCourse, event: EventOf<'lease.acquired'>): Verdict<Course> {
  const { expires_at, fence, holder_principal_id: holder, mode } = event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  if (course.lease !== null) return refuse('lease_held', { holder: course.lease.holder, fence: course.lease.fence });
  if (fence !== course.fence + 1) return refuse('fence_stale', { fence, expected: course.fence + 1 });
  if (holder !== signer.principal_id) return refuse('actor_mismatch', { actor: holder, signer: signer.principal_id });
  if (expires_at <= event.occurred_at) return refuse('lease_lost', { fence, expired_at: expires_at });
  const role = mode === 'isolated' ? 'runner' : 'writer';
  if (!signer.roles.includes(role))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: holder, mode });
  const next: Course = {
    ...course,
    fence,
    lease: { id: event.entity_id, fence, holder, mode, acquired_at: event.occurred_at, expires_at },
  };
  // Effects go on from where the attempt stands; after a crash they are looked at however late it is.
  const begun = mode === 'isolated' ? beginCell(next, event) : accept(next);
  if (begun.is === 'refused') return begun;
  const longest = mode === 'isolated' ? course.plan!.ttl_minutes + CELL_LEASE_BEYOND_MINUTES : WRITER_LEASE_MINUTES_MAX;
  return secondsBetween(event.occurred_at, expires_at) > longest * MINUTE_SECONDS
    ? refuse('window_too_long', { expires_at, minutes_max: longest })
    : begun;
}

/** Beyond the cell's own time, for taking its work and checking it. */
const CELL_LEASE_BEYOND_MINUTES = 60;
const WRITER_LEASE_MINUTES_MAX = 120;

/** Under a grant that still runs, so that nobody sits on a mission for longer than people agreed to wait. */
function beginCell(next: Course, event: EventOf<'lease.acquired'>): Verdict<Course> {
  const begun = onAttempt(event, next, 'leased');
  if (begun.is === 'refused') return begun;
  const grants = Object.values(next.grants).filter(({ action_class }) => action_class === 'execute_command');
  if (grants.length === 0) return refuse('grant_missing', { mode: event.payload.mode });
  // Any one of them: which stands first depends on who kept the state, and no rule may.
  const runs = grants.some(({ expires_at }) => event.occurred_at <= expires_at);
  return runs ? begun : refuse('grant_expired', { grants: grants.length });
}

function releaseLease({ course, signer }: InCourse, event: EventOf<'lease.released'>): Verdict<Course> {
  const { lease } = course;
  const { fence } = event.payload;
  if (lease === null || lease.fence !== fence) return refuse('lease_lost', { fence, current: course.fence });
  if (lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder, fence });
  // Its holder may let go of it even when it is too late to use it.
  return accept({ ...course, lease: null });
}

function expireLease({ course }: InCourse, event: EventOf<'lease.expired'>): Verdict<Course> {
  const { lease } = course;
  if (lease === null || lease.fence !== event.payload.fence)
    return refuse('lease_lost', { fence: event.payload.fence, current: course.fence });
  const { holder, fence, expires_at: until } = lease;
  if (event.occurred_at <= until && !isSilent(lease, event)) return refuse('lease_held', { holder, fence, until });
  return accept({ ...course, lease: null });
}

/**
 * That there was no later beacon is its author's word, and nobody can check it from here. What it buys a liar is an attempt,
 * of which there are few: the fence rises, nothing leaves, and the robbed holder has a beacon that contradicts what was signed.
 */
function isSilent(lease: Lease, { occurred_at, payload: { silence } }: EventOf<'lease.expired'>): boolean {
  // Whoever applies effects sends no beacons, and what it caused is looked at when its time is over.
  if (silence === null || lease.mode !== 'isolated') return false;
  const { at } = silence.beacon;
  return at >= lease.acquired_at && secondsBetween(at, occurred_at) >= silence.seconds;
}

export const leaseRules = {
  'lease.acquired': overCourse(acquireLease),
  'lease.released': overCourse(releaseLease),
  'lease.expired': overCourse(expireLease),
} satisfies Partial<Rules<EventType>>;
