// A receipt: what was intended, authorised, done and seen, by reference to the events and artifacts that prove it.
import { z } from 'zod';
import { EFFECT_KINDS } from '../course/classes.ts';
import { defineEvent } from '../envelope.ts';
import { RECEIPT_REFS_MAX } from '../limits.ts';
import { MISSION } from '../traits.ts';
import { Digest, ReasonWord, Uuid } from '../values.ts';

const Rollback = z.strictObject({
  how: z.enum(['none', ...Object.values(EFFECT_KINDS).map(({ rollback }) => rollback.how)]),
  supported: z.enum(['yes', 'partly', 'no']),
});

const ReceiptIssued = defineEvent(
  'receipt.issued',
  'receipt',
  () =>
    z.strictObject({
      action_request_ref: Uuid,
      approval_ref: Uuid.nullable(),
      capability_grant_ref: Uuid.nullable(),
      /** The decision that settled it; left out where it was observed. */
      decision_ref: Uuid.optional(),
      environment_ref: Digest.nullable(),
      input_refs: z.array(Digest).max(RECEIPT_REFS_MAX),
      output_refs: z.array(Digest).max(RECEIPT_REFS_MAX),
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
      /** Whether what was done can be undone, and how; nothing was done, nothing is undone. */
      rollback: Rollback,
      /** The effect, cell, approval or action request that this is the receipt of. */
      subject_ref: Uuid,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person', 'runner', 'writer'],
    because: ({ payload }, { attempt }) => {
      const { decision_ref, subject_ref, receipt_class, approval_ref, policy_result_ref } = payload;
      const answer = receipt_class === 'approval_resolution' ? [approval_ref, policy_result_ref] : [];
      const here = [decision_ref, ...answer, subject_ref, 'receipt.issued'];
      // The run's, last of all: what it led to has its receipts by then.
      return { here, of: [...here, attempt] };
    },
    draws: true,
  },
);

export const receiptEvents = [ReceiptIssued] as const;
