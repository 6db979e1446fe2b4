// The attempt state machine: the specification's states, in the order this project gives them.
import { accept, refuse, type Verdict } from '../verdict.ts';

export type AttemptStatus =
  | 'created'
  | 'awaiting_policy'
  | 'awaiting_approval'
  | 'authorized'
  | 'leased'
  | 'compiling_context'
  | 'reasoning'
  | 'executing'
  | 'observing'
  | 'receipt_pending'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'superseded';

const ENDS = ['failed', 'cancelled', 'superseded'] as const;

const ATTEMPT_NEXT: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  created: ['awaiting_policy', ...ENDS],
  awaiting_policy: ['awaiting_approval', 'authorized', ...ENDS],
  awaiting_approval: ['authorized', 'awaiting_policy', ...ENDS],
  // Back to waiting when a vote is taken back before anything started.
  authorized: ['leased', 'executing', 'awaiting_approval', 'awaiting_policy', ...ENDS],
  leased: ['compiling_context', 'executing', 'awaiting_approval', 'authorized', ...ENDS],
  compiling_context: ['reasoning', 'executing', ...ENDS],
  reasoning: ['executing', 'awaiting_policy', ...ENDS],
  executing: ['observing', 'awaiting_policy', 'awaiting_approval', ...ENDS],
  observing: ['receipt_pending', 'executing', 'awaiting_policy', 'awaiting_approval', ...ENDS],
  // An unknown outcome may be found out after the others have their receipts.
  receipt_pending: ['succeeded', 'executing', 'observing', 'awaiting_policy', ...ENDS],
  succeeded: [],
  failed: [],
  cancelled: [],
  superseded: [],
};

export function moveAttempt(from: AttemptStatus, to: AttemptStatus): Verdict<AttemptStatus> {
  if (from === to || ATTEMPT_NEXT[from].includes(to)) return accept(to);
  return refuse('attempt_transition_illegal', { status: from, to, allowed: ATTEMPT_NEXT[from] });
}

export function isOver(status: AttemptStatus): boolean {
  return ATTEMPT_NEXT[status].length === 0;
}
