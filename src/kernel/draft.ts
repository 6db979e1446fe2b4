// An event as a rule asks for it, before it has an id, a time and an actor: those are not a rule's to choose.
import type { FarCause } from './envelope.ts';
import type { EventOf, EventType } from './event.ts';
import type { Member } from './roster/roster.ts';

export type EventDraft<Type extends EventType = EventType> = {
  readonly [T in Type]: {
    readonly event_type: T;
    readonly entity_type: EventOf<T>['entity_type'];
    readonly payload: EventOf<T>['payload'];
    readonly entity_id: string;
    readonly task_id: string;
    readonly causation_id?: string;
    readonly cause?: FarCause;
    readonly correlation_id?: string;
    readonly idempotency_key?: string;
    readonly step_id?: string;
    readonly attempt_id?: string;
    readonly workspace_id?: string;
    /** Whose act it is, where the signer only relays it; the rule says for whom that may be. */
    readonly actor?: Pick<Member, 'principal_id' | 'principal_type'> | undefined;
  };
}[Type];
