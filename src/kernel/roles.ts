// Which signer role may sign which event, and in which kind of ledger it may stand. Append and verify read this one table.
import type { EventType } from './event.ts';
import type { Role } from './principal.ts';

export type LedgerKind = 'project' | 'mission';

type Right = { readonly in: readonly LedgerKind[]; readonly by: readonly Role[] };

const project: readonly LedgerKind[] = ['project'];
const mission: readonly LedgerKind[] = ['mission'];
const both: readonly LedgerKind[] = ['project', 'mission'];

export const RIGHTS: Readonly<Record<EventType, Right>> = {
  'project.opened': { in: project, by: ['root'] },
  'roster.updated': { in: project, by: ['root'] },
  'key.cut_off': { in: project, by: ['root'] },
  // Registration comes with the approval, whose last vote may be a person's own or one the gate relays.
  'mission.registered': { in: project, by: ['gate', 'person'] },
  'claims.released': { in: project, by: ['gate', 'writer', 'person'] },
  'tree_head.recorded': { in: project, by: ['root', 'gate', 'writer'] },
  'halt.declared': { in: project, by: ['root'] },
  'halt.lifted': { in: project, by: ['root'] },
  'policy.revised': { in: project, by: ['root'] },

  'mission.opened': { in: mission, by: ['gate', 'person'] },
  // Carries the threshold's own signatures: whoever appends next may bring it along.
  'roster.adopted': { in: mission, by: ['root', 'person', 'gate', 'runner', 'writer'] },
  'cut_off.adopted': { in: mission, by: ['root', 'person', 'gate', 'runner', 'writer'] },

  'ingress.recorded': { in: mission, by: ['gate', 'person'] },
  'mission.proposed': { in: mission, by: ['gate', 'person'] },
  'plan.computed': { in: mission, by: ['gate'] },
  // A runner hands over what came of its attempt; what that means for the mission is not its to say.
  'mission.ended': { in: mission, by: ['gate', 'writer'] },
  'projection.anchored': { in: mission, by: ['gate', 'writer'] },

  'step.created': { in: mission, by: ['gate'] },
  'attempt.created': { in: mission, by: ['gate'] },
  'context.compiled': { in: mission, by: ['runner'] },
  'attempt.succeeded': { in: mission, by: ['writer'] },
  'attempt.failed': { in: mission, by: ['gate', 'runner', 'writer'] },
  'attempt.cancelled': { in: mission, by: ['gate', 'person'] },
  'attempt.superseded': { in: mission, by: ['gate'] },

  'action.requested': { in: mission, by: ['gate', 'runner', 'writer'] },
  'policy.evaluated': { in: mission, by: ['gate', 'writer'] },
  'approval.requested': { in: mission, by: ['gate', 'writer'] },
  // A vote is the person's own signature, or what the gate relays of an account that the roster names.
  'vote.cast': { in: mission, by: ['gate', 'person'] },
  'vote.withdrawn': { in: mission, by: ['gate', 'person'] },
  // Whoever's vote completes the quorum signs what follows from it; the votes themselves are counted again by every reader.
  'approval.granted': { in: mission, by: ['gate', 'person'] },
  'approval.denied': { in: mission, by: ['gate'] },
  'approval.expired': { in: mission, by: ['gate', 'writer'] },
  'approval.invalidated': { in: mission, by: ['gate', 'person', 'writer'] },
  // Running the agent is granted with the approval; everything that reaches outside a cell by the writer alone.
  'grant.issued': { in: mission, by: ['gate', 'person', 'writer'] },
  'grant.revoked': { in: mission, by: ['gate', 'person', 'writer'] },

  'lease.acquired': { in: mission, by: ['runner', 'writer'] },
  'lease.released': { in: mission, by: ['runner', 'writer'] },
  // By those who keep the time: dated ahead, it would throw another runner out.
  'lease.expired': { in: mission, by: ['gate', 'writer'] },
  'cell.spawned': { in: mission, by: ['runner'] },
  'cell.closed': { in: mission, by: ['gate', 'runner'] },
  'done.claimed': { in: mission, by: ['runner'] },
  'blocked.raised': { in: mission, by: ['runner'] },
  'work.proposed': { in: mission, by: ['runner'] },
  'work.refused': { in: mission, by: ['runner'] },
  'verification.recorded': { in: mission, by: ['runner'] },

  'effects.computed': { in: mission, by: ['writer'] },
  'effect.intended': { in: mission, by: ['writer'] },
  'effect.observed': { in: mission, by: ['writer'] },
  'decision.recorded': { in: mission, by: ['person'] },
  'receipt.issued': { in: mission, by: ['gate', 'person', 'runner', 'writer'] },

  'task.created': { in: mission, by: ['gate', 'person'] },
  'task.readied': { in: mission, by: ['gate', 'person'] },
  'task.started': { in: mission, by: ['runner'] },
  'task.blocked': { in: mission, by: ['runner', 'gate'] },
  'task.unblocked': { in: mission, by: ['runner', 'gate', 'person'] },
  'task.paused': { in: mission, by: ['runner', 'gate', 'person'] },
  'task.resumed': { in: mission, by: ['gate', 'person'] },
  'task.completed': { in: mission, by: ['writer'] },
  'task.failed': { in: mission, by: ['gate', 'writer'] },
  'task.cancelled': { in: mission, by: ['gate', 'person'] },
  'task.rolled_back': { in: mission, by: ['writer'] },

  'note.recorded': { in: mission, by: ['person', 'gate', 'runner', 'writer'] },
  'artifact.recorded': { in: mission, by: ['person', 'gate', 'runner', 'writer'] },
  'artifact.erased': { in: mission, by: ['person', 'gate', 'root'] },

  'ledger.repaired': { in: both, by: ['root'] },
  'ledger.sealed': { in: both, by: ['root'] },
  'trust.annotated': { in: both, by: ['root'] },
};

export function mayStandIn(type: EventType, kind: LedgerKind): boolean {
  return RIGHTS[type].in.includes(kind);
}

export function maySign(type: EventType, roles: readonly Role[]): boolean {
  return RIGHTS[type].by.some((role) => roles.includes(role));
}
