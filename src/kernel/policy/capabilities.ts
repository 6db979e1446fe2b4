// What each capability of a proposal means as a typed request. A capability is only asked for; what comes of it is a
// policy result, and perhaps a grant.
import { CLASS_OF, type ActionClass, type EffectKind } from '../course/classes.ts';
import type { Capability } from '../proposal/proposal.ts';
import type { Reversibility } from './risk.ts';

export type Asking = {
  readonly actionClass: ActionClass;
  /** The effect it becomes after the run; null where it is used inside the cell. */
  readonly kind: EffectKind | null;
  readonly reversibility: Reversibility;
};

export const ASKED_BY: Readonly<Record<Capability, Asking>> = {
  'net:registry': { actionClass: 'network_read', kind: null, reversibility: 'reversible' },
  'net:forge': { actionClass: 'network_read', kind: null, reversibility: 'reversible' },
  'repo:push-branch': effect('push_branch', 'reversible'),
  // Closed and edited, yes; unread by those who were notified, no.
  'pr:open': effect('open_pull_request', 'partly_reversible'),
  'issue:comment': effect('post_comment', 'partly_reversible'),
};

function effect(kind: EffectKind, reversibility: Reversibility): Asking {
  return { actionClass: CLASS_OF[kind], kind, reversibility };
}
