// A cell in the course of a mission: born under a lease and a grant, closed by its supervisor or found dead.
import { useGrant } from '../action/evolve.ts';
import type { EventOf } from '../event.ts';
import { onAttempt, underLease, type InCourse } from '../mission/in-course.ts';
import type { Course } from '../mission/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export function spawnCell(at: InCourse, event: EventOf<'cell.spawned'>): Verdict<Course> {
  const { course } = at;
  const { fence, grant_id, level, backend, epoch, manifest_hash, seed_id } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  if (lease.value.mode !== 'isolated') return refuse('lease_lost', { fence, mode: lease.value.mode });
  if (course.cell !== null) return refuse('cell_open', { cell: course.cell.id });
  const plan = course.plan!;
  if (backend !== plan.backend || level < plan.level)
    return refuse('level_unmet', { level, asked: plan.level, backend });
  if (course.grants[grant_id]?.action_class !== 'execute_command') return refuse('grant_missing', { grant: grant_id });
  const used = useGrant(at, grant_id, event.occurred_at);
  if (used.is === 'refused') return used;
  const cell = { id: event.entity_id, seed: seed_id, epoch, level, manifest_hash };
  return onAttempt(event, { ...used.value, cell }, 'executing');
}

export function closeCell({ course, signer }: InCourse, event: EventOf<'cell.closed'>): Verdict<Course> {
  if (course.cell === null || course.cell.id !== event.entity_id)
    return refuse('cell_unknown', { cell: event.entity_id });
  // While a lease lasts its holder closes, be it late; afterwards whoever finds what a dead one left open.
  const { fence } = event.payload;
  const { lease } = course;
  if (lease !== null && lease.fence !== fence) return refuse('fence_stale', { fence, expected: lease.fence });
  if (lease !== null && lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder });
  return accept({ ...course, cell: null });
}
