// Events as a person or a script names them, by type and payload, made into what the write path submits. Fills in what
// follows from the ledger; whether the event is legal is for the kernel to say.
import { z } from 'zod';
import type { EventDraft } from '../kernel/draft.ts';
import { ENTITY_TYPES, EVENT_TYPES, type EventType } from '../kernel/event.ts';
import type { State } from '../kernel/state.ts';
import { Uuid } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import type { Ids } from '../ports/ids.ts';
import type { Submission } from './ledger-session.ts';

export const Wanted = z.strictObject({
  event_type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  entity_id: Uuid.optional(),
  task_id: Uuid.optional(),
  step_id: Uuid.optional(),
  attempt_id: Uuid.optional(),
  causation_id: Uuid.optional(),
  correlation_id: Uuid.optional(),
  idempotency_key: Uuid.optional(),
  workspace_id: Uuid.optional(),
});
export type Wanted = z.infer<typeof Wanted>;

/** One transaction of these events. `expectSize`: refuse when somebody appended since the caller looked. */
export function appendWanted(wanted: readonly Wanted[], ids: Ids, expectSize?: number): Submission {
  // Drawn once, so that a retry after a lost race writes the same bytes.
  const fresh = wanted.map(() => ids.next());
  return {
    decide: (state, { head }) => {
      const size = head?.size ?? 0;
      if (expectSize !== undefined && expectSize !== size)
        return refuse('head_moved', { expected: expectSize, found: size });
      if (state === undefined) return refuse('ledger_not_opened');
      const drafts: EventDraft[] = [];
      for (const [i, one] of wanted.entries()) {
        const draft = draftOf(one, state, fresh[i]!);
        if (draft.is === 'refused') return draft;
        drafts.push(draft.value);
      }
      return accept(drafts);
    },
  };
}

function draftOf(wanted: Wanted, state: State, fresh: string): Verdict<EventDraft> {
  const { event_type, entity_id, task_id, ...rest } = wanted;
  if (!EVENT_TYPES.has(event_type))
    return refuse('event_type_unknown', { event_type: event_type.slice(0, 64), known: [...EVENT_TYPES] });
  const type = event_type as EventType;
  const task = task_id ?? (type === 'task.created' ? fresh : state.ledger_id);
  const entity = entity_id ?? entityOf(type, state, task, fresh);
  // The payload's own shape is checked by the codec before anything is signed.
  return accept({
    ...rest,
    event_type: type,
    entity_type: ENTITY_TYPES[type],
    entity_id: entity,
    task_id: task,
  } as unknown as EventDraft);
}

function entityOf(type: EventType, state: State, task: string, fresh: string): string {
  switch (ENTITY_TYPES[type]) {
    case 'task':
      return task;
    case 'project':
    case 'ledger':
    case 'roster':
      return state.ledger_id;
    default:
      return fresh;
  }
}
