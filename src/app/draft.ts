// From events as a rule asks for them to ones with an id, a time, an actor and a cause. Draws nothing itself.
import { because, correlationFor, keyFor, type Before } from '../kernel/cause/because.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { Event } from '../kernel/event.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';

/** What a submission draws once: a retry after a lost race signs the same ids and times again. */
export type Drawn = {
  readonly id: (position: number) => string;
  readonly correlation: string;
  readonly occurredAt: string;
};

/** One transaction's events. What a draft says of its cause, correlation and key stands; the rest follows from the state. */
export function completeAll(
  drafts: readonly EventDraft[],
  actor: Member,
  drawn: Drawn,
  state: State | undefined,
): readonly Event[] {
  const events: Event[] = [];
  for (const draft of drafts) events.push(complete(draft, actor, drawn, { state, earlier: events }));
  return events;
}

function complete(draft: EventDraft, actor: Member, drawn: Drawn, before: Before): Event {
  const id = drawn.id(before.earlier.length);
  const { step_id, attempt_id, workspace_id, cause } = draft;
  // The union of drafts mirrors the union of events field by field; the codec parses the result again before it is signed.
  const event = {
    actor_id: (draft.actor ?? actor).principal_id,
    actor_type: (draft.actor ?? actor).principal_type,
    causation_id: draft.causation_id ?? (cause === undefined ? because(draft, before) : null),
    correlation_id: drawn.correlation,
    entity_id: draft.entity_id,
    entity_type: draft.entity_type,
    event_id: id,
    event_type: draft.event_type,
    idempotency_key: id,
    occurred_at: drawn.occurredAt,
    payload: draft.payload,
    schema_version: 1,
    task_id: draft.task_id,
  } as Event;
  if (cause !== undefined) event.cause = cause;
  if (step_id !== undefined) event.step_id = step_id;
  if (attempt_id !== undefined) event.attempt_id = attempt_id;
  if (workspace_id !== undefined) event.workspace_id = workspace_id;
  event.correlation_id = draft.correlation_id ?? correlationFor(event, before) ?? drawn.correlation;
  event.idempotency_key = draft.idempotency_key ?? keyFor(event, before) ?? id;
  return event;
}
