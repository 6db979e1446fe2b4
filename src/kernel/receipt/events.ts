// A receipt: what was intended, authorised, done and seen, by reference to the events and artifacts that prove it.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { Digest, ReasonWord, Uuid } from '../values.ts';

export const ReceiptIssued = defineEvent(
  'receipt.issued',
  'receipt',
  z.strictObject({
    action_request_ref: Uuid,
    approval_ref: Uuid.nullable(),
    capability_grant_ref: Uuid.nullable(),
    /** The decision that settled it; left out where it was observed. */
    decision_ref: Uuid.optional(),
    environment_ref: Digest.nullable(),
    input_refs: z.array(Digest).max(16),
    output_refs: z.array(Digest).max(16),
    policy_result_ref: Uuid.nullable(),
    receipt_class: z.enum([
      'tool_execution',
      'command_execution',
      'publish',
      'memory_promotion',
      'approval_resolution',
      'rollback',
      'observation_resolution',
    ]),
    replay_class: z.enum(['deterministic_replay', 'idempotent_replay', 'observe_only', 'explain_only']),
    result_code: z.enum(['succeeded', 'failed', 'refused', 'denied', 'expired', 'unknown_outcome']),
    result_summary: ReasonWord,
    rollback: z.enum(['supported', 'unsupported']),
    /** The effect, cell, approval or attempt that this is the receipt of. */
    subject_ref: Uuid,
  }),
);
