// A step: the smallest recoverable unit of a task. What has to be done is its contract, an artifact.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { ATTEMPTS_PER_STEP_MAX } from '../limits.ts';
import { Digest, ReasonWord } from '../values.ts';

export const StepCreated = defineEvent(
  'step.created',
  'step',
  z.strictObject({
    contract_ref: Digest,
    kind: ReasonWord,
    max_attempts: z.int().min(1).max(ATTEMPTS_PER_STEP_MAX),
  }),
);
