// The task state machine, to the letter of the specification: which state may follow which, and on which event.
import { refuse, accept, type Verdict } from '../verdict.ts';

export type TaskStatus =
  | 'created'
  | 'ready'
  | 'running'
  | 'blocked'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'rolled_back';

type Move = { readonly from: readonly TaskStatus[]; readonly to: TaskStatus };

export const TASK_MOVES = {
  'task.readied': { from: ['created'], to: 'ready' },
  'task.started': { from: ['ready'], to: 'running' },
  'task.blocked': { from: ['running'], to: 'blocked' },
  'task.unblocked': { from: ['blocked'], to: 'running' },
  'task.paused': { from: ['running'], to: 'paused' },
  'task.resumed': { from: ['paused'], to: 'ready' },
  'task.completed': { from: ['running'], to: 'completed' },
  'task.failed': { from: ['running'], to: 'failed' },
  'task.cancelled': { from: ['ready', 'running', 'blocked', 'paused'], to: 'cancelled' },
  'task.rolled_back': { from: ['completed', 'failed'], to: 'rolled_back' },
} as const satisfies Record<string, Move>;

export type TaskMove = keyof typeof TASK_MOVES;

export function moveTask(status: TaskStatus, event: TaskMove): Verdict<TaskStatus> {
  const move: Move = TASK_MOVES[event];
  if (!move.from.includes(status)) return refuse('task_transition_illegal', { event, status, allowed_from: move.from });
  return accept(move.to);
}
