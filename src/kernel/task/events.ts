// The events of a task: one per transition of the specification's task state machine.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { Digest, ReasonWord } from '../values.ts';

const Nothing = z.strictObject({});
const Because = z.strictObject({ because: ReasonWord });

/** The contract (goal, brief, limits) is an artifact. */
export const TaskCreated = defineEvent('task.created', 'task', z.strictObject({ contract: Digest.nullable() }));
export const TaskReadied = defineEvent('task.readied', 'task', Nothing);
export const TaskStarted = defineEvent('task.started', 'task', Nothing);
export const TaskBlocked = defineEvent('task.blocked', 'task', Because);
export const TaskUnblocked = defineEvent('task.unblocked', 'task', Nothing);
export const TaskPaused = defineEvent('task.paused', 'task', Because);
export const TaskResumed = defineEvent('task.resumed', 'task', Nothing);
export const TaskCompleted = defineEvent(
  'task.completed',
  'task',
  z.strictObject({ evidence: z.array(Digest).max(64) }),
);
export const TaskFailed = defineEvent('task.failed', 'task', Because);
export const TaskCancelled = defineEvent('task.cancelled', 'task', Because);
export const TaskRolledBack = defineEvent('task.rolled_back', 'task', Because);
