// Leases: who may work on a task now. The fence only rises, so that whoever was presumed dead and wakes up is refused.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../place.ts';
import { Count, Instant, ReasonWord, Slug, Uuid } from '../values.ts';

const LeaseAcquired = defineEvent(
  'lease.acquired',
  'lease',
  z.strictObject({
    expires_at: Instant,
    fence: z.int().min(1),
    holder_principal_id: Slug,
    /** `isolated`: to run a cell. `mutable`: to apply effects. */
    mode: z.enum(['readonly', 'mutable', 'isolated', 'external_effects_disabled']),
    workspace_id: Uuid,
  }),
  { in: MISSION, about: 'task', by: ['runner', 'writer'] },
);
const LeaseReleased = defineEvent('lease.released', 'lease', z.strictObject({ because: ReasonWord, fence: Count }), {
  in: MISSION,
  about: 'task',
  by: ['runner', 'writer'],
});
/** By anybody who may hold one, once its time is over. */
const LeaseExpired = defineEvent(
  'lease.expired',
  'lease',
  z.strictObject({ fence: Count }),
  // By those who keep the time: dated ahead, it would throw another runner out.
  { in: MISSION, about: 'task', by: ['gate', 'writer'] },
);

export const leaseEvents = [LeaseAcquired, LeaseReleased, LeaseExpired] as const;
