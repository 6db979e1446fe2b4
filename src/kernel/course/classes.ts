// The kinds of things that can be asked for: the specification's action classes, and the effects this build can cause.
import { z } from 'zod';
import type { Capability } from '../proposal/proposal.ts';

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

type Kind = {
  /** What policy judges it by. */
  readonly actionClass: ActionClass;
  /** By which a proposal asks for it. */
  readonly capability: Capability | null;
  readonly reversibility: 'reversible' | 'partly_reversible';
  /** How it is undone. What was read or mailed out meanwhile stays known: taking it back is a part of undoing it. */
  readonly rollback: { readonly how: string; readonly supported: 'yes' | 'partly' };
};

/** In the order in which they have to happen. */
export const EFFECT_KINDS = {
  write_local_branch: {
    actionClass: 'vcs_mutation',
    capability: null,
    reversibility: 'reversible',
    rollback: { how: 'delete_branch', supported: 'yes' },
  },
  push_branch: {
    actionClass: 'vcs_mutation',
    capability: 'repo:push-branch',
    reversibility: 'reversible',
    rollback: { how: 'delete_branch', supported: 'yes' },
  },
  open_pull_request: {
    actionClass: 'publication',
    capability: 'pr:open',
    reversibility: 'partly_reversible',
    rollback: { how: 'close_pull_request', supported: 'partly' },
  },
  post_comment: {
    actionClass: 'publication',
    capability: 'issue:comment',
    reversibility: 'partly_reversible',
    rollback: { how: 'delete_comment', supported: 'partly' },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type EffectKind = keyof typeof EFFECT_KINDS;
export const EffectKind = z.enum(Object.keys(EFFECT_KINDS) as EffectKind[]);

/** Those that can be asked for by name. */
export const ASKED_KINDS = EffectKind.options.filter((kind) => EFFECT_KINDS[kind].capability !== null);
