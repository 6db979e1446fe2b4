// The events of a task: one per transition of the specification's task state machine.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Digest, ReasonWord } from '../values.ts';

const Nothing = z.strictObject({});
const Because = z.strictObject({ because: ReasonWord });

/** The contract (goal, brief, limits) is an artifact. */
const TaskCreated = defineEvent('task.created', 'task', () => z.strictObject({ contract: Digest.nullable() }), {
  in: MISSION,
  about: 'new_task',
  by: ['gate', 'person'],
  because: () => ({ of: ['plan.computed'] }),
});
const TaskReadied = defineEvent('task.readied', 'task', () => Nothing, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person'],
});
const TaskStarted = defineEvent('task.started', 'task', () => Nothing, {
  in: MISSION,
  about: 'task',
  by: ['runner'],
  because: (_, { runs }) => ({ of: runs }),
});
// A writer that asks people about the exact effects blocks the task until they answer.
const TaskBlocked = defineEvent('task.blocked', 'task', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['runner', 'gate', 'writer'],
  because: (_, { attempt }) => ({ here: ['approval.requested', attempt], of: [attempt] }),
});
const TaskUnblocked = defineEvent('task.unblocked', 'task', () => Nothing, {
  in: MISSION,
  about: 'task',
  by: ['runner', 'gate', 'person'],
  because: (_, { attempt }) => ({ here: ['approval.granted'], of: [attempt] }),
});
const TaskPaused = defineEvent('task.paused', 'task', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['runner', 'gate', 'person'],
});
const TaskResumed = defineEvent('task.resumed', 'task', () => Nothing, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person'],
});
const TaskCompleted = defineEvent(
  'task.completed',
  'task',
  () => z.strictObject({ evidence: z.array(Digest).max(64) }),
  {
    in: MISSION,
    about: 'task',
    by: ['writer'],
    because: (_, { attempt }) => ({ of: [attempt] }),
  },
);
const TaskFailed = defineEvent('task.failed', 'task', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'writer'],
  because: (_, { attempt }) => ({ of: [attempt] }),
});
const TaskCancelled = defineEvent('task.cancelled', 'task', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['gate', 'person', 'writer'],
  because: (_, { attempt }) => ({ of: [attempt] }),
});
const TaskRolledBack = defineEvent('task.rolled_back', 'task', () => Because, {
  in: MISSION,
  about: 'task',
  by: ['writer'],
});

export const taskEvents = [
  TaskCreated,
  TaskReadied,
  TaskStarted,
  TaskBlocked,
  TaskUnblocked,
  TaskPaused,
  TaskResumed,
  TaskCompleted,
  TaskFailed,
  TaskCancelled,
  TaskRolledBack,
] as const;
