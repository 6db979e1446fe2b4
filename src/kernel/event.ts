// The closed union of everything a ledger can say, put together from what each noun says. An unknown type is refused by
// name, never skipped.
import { z } from 'zod';
import { actionEvents } from './action/events.ts';
import { approvalEvents } from './approval/events.ts';
import { artifactEvents } from './artifact/events.ts';
import { attemptEvents } from './attempt/events.ts';
import { cellEvents } from './cell/events.ts';
import { decisionEvents } from './decision/events.ts';
import { effectEvents } from './effect/events.ts';
import { grantEvents } from './grant/events.ts';
import { handoverEvents } from './handover/events.ts';
import { ingressEvents } from './ingress/events.ts';
import { leaseEvents } from './lease/events.ts';
import { missionEvents } from './mission/events.ts';
import { noteEvents } from './note/events.ts';
import { projectEvents } from './project/events.ts';
import { receiptEvents } from './receipt/events.ts';
import { stepEvents } from './step/events.ts';
import { taskEvents } from './task/events.ts';
import { trustEvents } from './trust/events.ts';
import type { Traits } from './traits.ts';

export const Event = z.discriminatedUnion('event_type', [
  ...actionEvents,
  ...approvalEvents,
  ...artifactEvents,
  ...attemptEvents,
  ...cellEvents,
  ...decisionEvents,
  ...effectEvents,
  ...grantEvents,
  ...handoverEvents,
  ...ingressEvents,
  ...leaseEvents,
  ...missionEvents,
  ...noteEvents,
  ...projectEvents,
  ...receiptEvents,
  ...stepEvents,
  ...taskEvents,
  ...trustEvents,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['event_type'];
export type EventOf<Type extends EventType> = Extract<Event, { event_type: Type }>;

export const EVENT_TYPES: ReadonlySet<string> = new Set(Event.options.map((option) => option.shape.event_type.value));

/** What kind of thing each event type is about. */
export const ENTITY_TYPES: Readonly<Record<EventType, Event['entity_type']>> = Object.fromEntries(
  Event.options.map((option) => [option.shape.event_type.value, option.shape.entity_type.value]),
) as Record<EventType, Event['entity_type']>;

/** What each event type says of itself: whoever needs the types of which something holds asks here, and keeps no list. */
export const PLACES: Readonly<Record<EventType, Traits>> = Object.fromEntries(
  Event.options.map((option) => [option.shape.event_type.value, option.place]),
) as Record<EventType, Traits>;

export function typesThat(say: 'starts' | 'beside' | 'carried' | 'inProofs'): ReadonlySet<EventType> {
  const types = Object.keys(PLACES) as EventType[];
  return new Set(types.filter((type) => PLACES[type][say] === true));
}
