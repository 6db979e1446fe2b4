// Grants: what the kernel hands out, narrow and for once. An executor refuses whatever lies outside of one.
import { z } from 'zod';
import { ActionClass } from '../action/classes.ts';
import { defineEvent } from '../envelope.ts';
import { Instant, PathGlob, ReasonWord, Slug, Uuid } from '../values.ts';

export const GrantIssued = defineEvent(
  'grant.issued',
  'grant',
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
);
export const GrantRevoked = defineEvent('grant.revoked', 'grant', z.strictObject({ because: ReasonWord }));
