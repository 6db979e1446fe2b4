// An attempt: one concrete run of a step, with a number that only rises. Its states between birth and end follow from
// the approvals, leases, cells and receipts that name it.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { ATTEMPTS_PER_STEP_MAX } from '../limits.ts';
import { Digest, ReasonWord, Uuid } from '../values.ts';

const Because = z.strictObject({ because: ReasonWord });

const AttemptCreated = defineEvent(
  'attempt.created',
  'attempt',
  () =>
    z.strictObject({
      attempt_no: z.int().min(1).max(ATTEMPTS_PER_STEP_MAX),
      executor_mode: z.enum(['cell']),
      /** The attempt this one takes over from. */
      resume_from_ref: Uuid.nullable(),
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate'],
    because: ({ payload }) => ({ of: [payload.resume_from_ref, 'plan.computed'] }),
    draws: true,
    untilCancelled: true,
    // The first one comes with the plan, which people may look at meanwhile.
    untilHeld: ({ attempt_no }) => attempt_no > 1,
  },
);
/** The brief and what goes with it: what the agent is told, as an artifact. */
const ContextCompiled = defineEvent('context.compiled', 'attempt', () => z.strictObject({ context_pack_ref: Digest }), {
  in: MISSION,
  about: 'task',
  by: ['runner'],
  because: (_, { lease }) => ({ of: [lease], here: ['lease.acquired'] }),
});
const AttemptSucceeded = defineEvent('attempt.succeeded', 'attempt', () => z.strictObject({}), {
  in: MISSION,
  about: 'task',
  by: ['writer'],
  because: (_, { attempt }) => ({ of: ['receipt.issued', attempt] }),
  // Where there is nothing to cause, work alone would be success.
  untilCancelled: true,
  untilHeld: true,
});
const AttemptFailed = defineEvent('attempt.failed', 'attempt', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'runner', 'writer'],
  because: (_, { attempt }) => ({ here: ['receipt.issued'], of: [attempt] }),
});
const AttemptCancelled = defineEvent('attempt.cancelled', 'attempt', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person', 'writer'],
  because: (_, { attempt }) => ({ here: ['receipt.issued'], of: [attempt] }),
});
const AttemptSuperseded = defineEvent('attempt.superseded', 'attempt', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate'],
});

export const attemptEvents = [
  AttemptCreated,
  ContextCompiled,
  AttemptSucceeded,
  AttemptFailed,
  AttemptCancelled,
  AttemptSuperseded,
] as const;
