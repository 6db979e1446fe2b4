// Leases: one at a time, each with a higher fence than any before it.
import type { EventOf } from '../event.ts';
import { attemptOf, onAttempt, type InCourse } from '../mission/in-course.ts';
import type { Course } from '../mission/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export function acquireLease({ course, signer }: InCourse, event: EventOf<'lease.acquired'>): Verdict<Course> {
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
  const next: Course = { ...course, fence, lease: { id: event.entity_id, fence, holder, mode, expires_at } };
  // A cell is begun; effects go on from where the attempt stands.
  return mode === 'isolated' ? onAttempt(event, next, 'leased') : accept(next);
}

export function releaseLease({ course, signer }: InCourse, event: EventOf<'lease.released'>): Verdict<Course> {
  const { lease } = course;
  const { fence } = event.payload;
  if (lease === null || lease.fence !== fence) return refuse('lease_lost', { fence, current: course.fence });
  if (lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder, fence });
  // Its holder may let go of it even when it is too late to use it.
  return accept({ ...course, lease: null });
}

export function expireLease({ course }: InCourse, event: EventOf<'lease.expired'>): Verdict<Course> {
  const { lease } = course;
  if (lease === null || lease.fence !== event.payload.fence)
    return refuse('lease_lost', { fence: event.payload.fence, current: course.fence });
  if (event.occurred_at <= lease.expires_at)
    return refuse('lease_held', { holder: lease.holder, fence: lease.fence, until: lease.expires_at });
  return accept({ ...course, lease: null });
}
