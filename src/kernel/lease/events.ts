// Leases: who may work on a task now. The fence only rises, so that whoever was presumed dead and wakes up is refused.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { Count, Instant, ReasonWord, Slug, Uuid } from '../values.ts';

export const LeaseAcquired = defineEvent(
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
);
export const LeaseReleased = defineEvent(
  'lease.released',
  'lease',
  z.strictObject({ because: ReasonWord, fence: Count }),
);
/** By anybody who may hold one, once its time is over. */
export const LeaseExpired = defineEvent('lease.expired', 'lease', z.strictObject({ fence: Count }));
