// Approvals and the votes they are made of. A vote names the digest it is for and nothing else counts as one.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION, type Because as Cause } from '../traits.ts';
import { ForgeOrigin } from '../ingress/events.ts';
import { Digest, Instant, ReasonWord, RootHash, Uuid } from '../values.ts';

const ApprovalRequested = defineEvent(
  'approval.requested',
  'approval',
  () =>
    z.strictObject({
      /** The packet people decide on: an artifact that can be read again later. */
      approval_packet_ref: Digest,
      /** `plan`: before the run. `effects`: the exact commits and texts after it, tier 2 and above. */
      approval_type: z.enum(['plan', 'effects']),
      /** An earlier approval whose votes still cover this one. */
      carries: Uuid.nullable(),
      digest: RootHash,
      expires_at: Instant,
      requested_action_ref: Uuid,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'writer'],
    because: ({ payload }, { attempt }) =>
      payload.approval_type === 'effects'
        ? { of: [attempt] }
        : { here: ['policy.evaluated'], of: [payload.requested_action_ref] },
    draws: true,
    untilCancelled: true,
  },
);

/** Relayed, of what came in; signed, of the question. */
const asTold: Cause<{ readonly approval_id: string }> = ({ payload }) => ({
  here: ['ingress.recorded'],
  of: [payload.approval_id],
});

const VoteCast = defineEvent(
  'vote.cast',
  'vote',
  () =>
    z.strictObject({
      approval_id: Uuid,
      choice: z.enum(['approve', 'reject']),
      digest: RootHash,
      /** Set when the gate relays what the person wrote on the forge; null when the person signed it. */
      forge: ForgeOrigin.nullable(),
      reason: Digest.nullable(),
    }),
  // A vote is the person's own signature, or what the gate relays of an account that the roster names.
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person'],
    because: asTold,
    draws: true,
    untilCancelled: true,
  },
);

/** Takes back the actor's own vote, before anything was started under it. */
const VoteWithdrawn = defineEvent(
  'vote.withdrawn',
  'vote',
  () => z.strictObject({ approval_id: Uuid, forge: ForgeOrigin.nullable() }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person'],
    because: asTold,
  },
);

const ApprovalGranted = defineEvent(
  'approval.granted',
  'approval',
  () =>
    z.strictObject({
      digest: RootHash,
      /** A roster of one person: shown for what it is. */
      self_approved: z.boolean(),
      votes: z.array(Uuid).max(64),
    }),
  // Whoever's vote completes the quorum signs what follows from it; the votes themselves are counted again by every reader.
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person'],
    because: ({ entity_id, payload }) => ({ here: ['vote.cast'], of: [payload.votes.at(-1), entity_id] }),
    untilCancelled: true,
  },
);
const Because = z.strictObject({ because: ReasonWord });
/** One voter's no for good, signed or relayed like a vote. */
const ApprovalDenied = defineEvent(
  'approval.denied',
  'approval',
  () => z.strictObject({ because: ReasonWord, forge: ForgeOrigin.nullable() }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person'],
    because: ({ entity_id }) => ({ here: ['ingress.recorded'], of: [entity_id] }),
  },
);
const ApprovalExpired = defineEvent('approval.expired', 'approval', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'writer'],
});
const ApprovalInvalidated = defineEvent('approval.invalidated', 'approval', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person', 'writer'],
});

export const approvalEvents = [
  ApprovalRequested,
  VoteCast,
  VoteWithdrawn,
  ApprovalGranted,
  ApprovalDenied,
  ApprovalExpired,
  ApprovalInvalidated,
] as const;
