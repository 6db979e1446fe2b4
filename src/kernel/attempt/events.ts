// An attempt: one concrete run of a step, with a number that only rises. Its states between birth and end follow from
// the approvals, leases, cells and receipts that name it.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { ATTEMPTS_PER_STEP_MAX } from '../limits.ts';
import { Digest, ReasonWord, Uuid } from '../values.ts';

const Because = z.strictObject({ because: ReasonWord });

export const AttemptCreated = defineEvent(
  'attempt.created',
  'attempt',
  z.strictObject({
    attempt_no: z.int().min(1).max(ATTEMPTS_PER_STEP_MAX),
    executor_mode: z.enum(['cell']),
    /** The attempt this one takes over from. */
    resume_from_ref: Uuid.nullable(),
  }),
);
/** The brief and what goes with it: what the agent is told, as an artifact. */
export const ContextCompiled = defineEvent('context.compiled', 'attempt', z.strictObject({ context_pack_ref: Digest }));
export const AttemptSucceeded = defineEvent('attempt.succeeded', 'attempt', z.strictObject({}));
export const AttemptFailed = defineEvent('attempt.failed', 'attempt', Because);
export const AttemptCancelled = defineEvent('attempt.cancelled', 'attempt', Because);
export const AttemptSuperseded = defineEvent('attempt.superseded', 'attempt', Because);
