// Events with ids that follow from a word, so that a test ledger is the same every time it is built.
import { createHash } from 'node:crypto';
import type { Event, EventOf, EventType } from '../../src/kernel/event.ts';

const T0 = '2026-11-18T10:00:00.000Z';
export const T0_SECONDS = 1_795_000_000;

/** A uuid v4 that is a function of a word. */
export function uuid(word: string): string {
  const digits = createHash('sha256').update(word).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

type Fields = Partial<Omit<Event, 'event_type' | 'payload'>>;

export function event<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  fields: Fields & { entity_id: string; task_id: string; actor_id: string },
): EventOf<Type> {
  const id = fields.event_id ?? uuid(`${type} ${JSON.stringify(payload)} ${JSON.stringify(fields)}`);
  return {
    actor_type: 'user',
    causation_id: null,
    correlation_id: uuid(`correlation ${id}`),
    entity_type: ENTITY[type] ?? type.split('.')[0],
    event_id: id,
    event_type: type,
    idempotency_key: uuid(`once ${id}`),
    occurred_at: T0,
    payload,
    schema_version: 1,
    ...fields,
  } as unknown as EventOf<Type>;
}

const ENTITY: Partial<Record<EventType, string>> = {
  'key.cut_off': 'roster',
  'cut_off.adopted': 'roster',
  'claims.released': 'mission',
  'tree_head.recorded': 'mission',
  'halt.declared': 'project',
  'halt.lifted': 'project',
  'trust.annotated': 'ledger',
  'policy.revised': 'project',
  'plan.computed': 'mission',
  'projection.anchored': 'mission',
  'context.compiled': 'attempt',
  'action.requested': 'action_request',
  'policy.evaluated': 'policy_result',
  'done.claimed': 'work',
  'blocked.raised': 'work',
  'effects.computed': 'attempt',
};
