// The kinds of things that can be asked for: the specification's action classes, and the effects this build can cause.
import { z } from 'zod';

export const ActionClass = z.enum([
  'read_local',
  'write_local',
  'delete_local',
  'execute_command',
  'network_read',
  'network_write',
  'credentialed_api_call',
  'vcs_mutation',
  'publication',
  'payment_or_spending',
  'durable_memory_write',
  'rollback',
  'policy_override',
]);
export type ActionClass = z.infer<typeof ActionClass>;

export const EffectKind = z.enum(['write_local_branch', 'push_branch', 'open_pull_request', 'post_comment']);
export type EffectKind = z.infer<typeof EffectKind>;

/** The class that policy judges each effect by. */
export const CLASS_OF: Readonly<Record<EffectKind, ActionClass>> = {
  write_local_branch: 'vcs_mutation',
  push_branch: 'vcs_mutation',
  open_pull_request: 'publication',
  post_comment: 'publication',
};
