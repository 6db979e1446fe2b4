// Leases: who may work on a task now. The fence only rises, so that whoever was presumed dead and wakes up is refused.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION, type Because } from '../traits.ts';
import { Count, Digest, Instant, ReasonWord, Slug, Uuid } from '../values.ts';

/** It lets go because of what was said just before, whatever that is. */
const whateverEnded: Because<unknown> = ({ entity_id }) => ({
  here: ['attempt.succeeded', 'attempt.failed', 'cell.closed', 'receipt.issued'],
  of: [entity_id],
});

const LeaseAcquired = defineEvent(
  'lease.acquired',
  'lease',
  () =>
    z.strictObject({
      expires_at: Instant,
      fence: z.int().min(1),
      holder_principal_id: Slug,
      /** `isolated`: to run a cell. `mutable`: to apply effects. */
      mode: z.enum(['readonly', 'mutable', 'isolated', 'external_effects_disabled']),
      workspace_id: Uuid,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['runner', 'writer'],
    because: ({ payload }, { attempt, runs }) => ({ of: payload.mode === 'isolated' ? [...runs, attempt] : [attempt] }),
    // Nothing is left to be done under one, and whoever takes lease after lease keeps the mission from its end.
    untilCancelled: true,
    untilHeld: true,
  },
);
const LeaseReleased = defineEvent(
  'lease.released',
  'lease',
  () => z.strictObject({ because: ReasonWord, fence: Count }),
  {
    in: MISSION,
    about: 'task',
    by: ['runner', 'writer'],
    because: whateverEnded,
  },
);
/** So long nobody may have heard of a supervisor that is taken for dead: three of its beacons. */
export const SILENCE_SECONDS = 180;

/** What the author of an early expiry says: the last beacon there was, and for how long there was none after it. */
const Silence = z.strictObject({
  /** As its holder signed it; the digest is of its bytes, so that whoever has a later one can show it. */
  beacon: z.strictObject({ at: Instant, digest: Digest, no: z.int().min(1) }),
  seconds: z.int().min(SILENCE_SECONDS),
});

/** Once its time is over, or before that because of silence. */
const LeaseExpired = defineEvent(
  'lease.expired',
  'lease',
  () => z.strictObject({ fence: Count, silence: Silence.nullable() }),
  // By those who keep the time: dated ahead, it would throw another runner out.
  { in: MISSION, about: 'task', by: ['gate', 'writer'], because: whateverEnded },
);

export const leaseEvents = [LeaseAcquired, LeaseReleased, LeaseExpired] as const;
