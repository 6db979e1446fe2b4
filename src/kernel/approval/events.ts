// Approvals and the votes they are made of. A vote names the digest it is for and nothing else counts as one.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { ForgeOrigin } from '../ingress/events.ts';
import { Digest, Instant, ReasonWord, RootHash, Uuid } from '../values.ts';

export const ApprovalRequested = defineEvent(
  'approval.requested',
  'approval',
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
);

export const VoteCast = defineEvent(
  'vote.cast',
  'vote',
  z.strictObject({
    approval_id: Uuid,
    choice: z.enum(['approve', 'reject']),
    digest: RootHash,
    /** Set when the gate relays what the person wrote on the forge; null when the person signed it. */
    forge: ForgeOrigin.nullable(),
    reason: Digest.nullable(),
  }),
);

/** Takes back the actor's own vote, before anything was started under it. */
export const VoteWithdrawn = defineEvent(
  'vote.withdrawn',
  'vote',
  z.strictObject({ approval_id: Uuid, forge: ForgeOrigin.nullable() }),
);

export const ApprovalGranted = defineEvent(
  'approval.granted',
  'approval',
  z.strictObject({
    digest: RootHash,
    /** A roster of one person: shown for what it is. */
    self_approved: z.boolean(),
    votes: z.array(Uuid).max(64),
  }),
);
const Because = z.strictObject({ because: ReasonWord });
export const ApprovalDenied = defineEvent('approval.denied', 'approval', Because);
export const ApprovalExpired = defineEvent('approval.expired', 'approval', Because);
export const ApprovalInvalidated = defineEvent('approval.invalidated', 'approval', Because);
