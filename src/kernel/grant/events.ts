// Grants: what the kernel hands out, narrow and for once. An executor refuses whatever lies outside of one.
import { z } from 'zod';
import { ActionClass } from '../course/classes.ts';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Instant, PathGlob, ReasonWord, Slug, Uuid } from '../values.ts';

const GrantIssued = defineEvent(
  'grant.issued',
  'grant',
  () =>
    z.strictObject({
      action_class: ActionClass,
      action_request_ref: Uuid,
      /** Null where policy alone allowed it. */
      approval_ref: Uuid.nullable(),
      expires_at: Instant,
      issued_to_principal_id: Slug,
      max_uses: z.int().min(1).max(64),
      policy_result_ref: Uuid,
      resource_scope: z.array(PathGlob).max(32),
    }),
  // Running the agent is granted with the approval; everything that reaches outside a cell by the writer alone.
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'person', 'writer'],
    because: ({ payload }) => ({ of: [payload.approval_ref, payload.policy_result_ref] }),
    draws: true,
    untilHalted: true,
    untilCancelled: true,
    untilHeld: true,
  },
);
const GrantRevoked = defineEvent('grant.revoked', 'grant', () => z.strictObject({ because: ReasonWord }), {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person', 'writer'],
});

export const grantEvents = [GrantIssued, GrantRevoked] as const;
