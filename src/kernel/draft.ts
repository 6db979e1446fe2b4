// An event as a rule asks for it, before it has an id, a time and an actor: those are not a rule's to choose.
import type { EventOf, EventType } from './event.ts';

export type EventDraft<Type extends EventType = EventType> = {
  readonly [T in Type]: {
    readonly event_type: T;
    readonly entity_type: EventOf<T>['entity_type'];
    readonly payload: EventOf<T>['payload'];
    readonly entity_id: string;
    readonly task_id: string;
    readonly causation_id?: string;
    readonly correlation_id?: string;
    readonly idempotency_key?: string;
    readonly step_id?: string;
    readonly attempt_id?: string;
    readonly workspace_id?: string;
  };
}[Type];
