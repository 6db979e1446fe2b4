// From an event as a rule asks for it to one with an id, a time and an actor. Draws nothing itself.
import type { EventDraft } from '../kernel/draft.ts';
import type { Event } from '../kernel/event.ts';
import type { Member } from '../kernel/roster/roster.ts';

/** What a submission draws once: a retry after a lost race writes the very same bytes again. */
export type Drawn = {
  readonly id: (position: number) => string;
  readonly correlation: string;
  readonly occurredAt: string;
};

export function complete(draft: EventDraft, position: number, actor: Member, drawn: Drawn): Event {
  const id = drawn.id(position);
  const { step_id, attempt_id, workspace_id } = draft;
  // The union of drafts mirrors the union of events field by field; the codec parses the result again before it is signed.
  const event = {
    actor_id: (draft.actor ?? actor).principal_id,
    actor_type: (draft.actor ?? actor).principal_type,
    causation_id: draft.causation_id ?? null,
    correlation_id: draft.correlation_id ?? drawn.correlation,
    entity_id: draft.entity_id,
    entity_type: draft.entity_type,
    event_id: id,
    event_type: draft.event_type,
    idempotency_key: draft.idempotency_key ?? id,
    occurred_at: drawn.occurredAt,
    payload: draft.payload,
    schema_version: 1,
    task_id: draft.task_id,
  } as Event;
  if (step_id !== undefined) event.step_id = step_id;
  if (attempt_id !== undefined) event.attempt_id = attempt_id;
  if (workspace_id !== undefined) event.workspace_id = workspace_id;
  return event;
}
