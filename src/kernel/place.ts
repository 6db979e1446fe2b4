// What each event type says of itself besides its payload: in which kind of ledger it may stand, what its `task_id` names,
// and which signer roles may sign it. Knows the words, not the types: they stand with their nouns.
import type { Role } from './principal.ts';

export type LedgerKind = 'project' | 'mission';

export type Place = {
  readonly in: readonly LedgerKind[];
  /** Whose id stands in `task_id`: the ledger's own, a task's that was created, or that of the task being created. */
  readonly about: 'ledger' | 'task' | 'new_task' | 'task_or_ledger';
  /** Any one of these roles is enough. */
  readonly by: readonly Role[];
};

export const PROJECT: Place['in'] = ['project'];
export const MISSION: Place['in'] = ['mission'];
export const EITHER: Place['in'] = ['project', 'mission'];
