// The closed union of everything a ledger can say, put together from what each noun says. An unknown type is refused by
// name, never skipped.
import type { z } from 'zod';
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

const EVENTS = [
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
];
export type Event = z.infer<(typeof EVENTS)[number]['schema']>;
export type EventType = Event['event_type'];
export type EventOf<Type extends EventType> = Extract<Event, { event_type: Type }>;

const BY_TYPE: ReadonlyMap<string, (typeof EVENTS)[number]> = new Map(EVENTS.map((one) => [one.type, one]));

/** What its events have to look like; undefined where there is no such type. */
export function eventSchema(type: string): z.ZodType<Event> | undefined {
  return BY_TYPE.get(type)?.schema;
}

export const EVENT_TYPES: ReadonlySet<string> = new Set(BY_TYPE.keys());

/** What kind of thing each event type is about. */
export const ENTITY_TYPES: Readonly<Record<EventType, Event['entity_type']>> = Object.fromEntries(
  EVENTS.map(({ type, entity }) => [type, entity]),
) as Record<EventType, Event['entity_type']>;

/** What each event type says of itself: whoever needs the types of which something holds asks here, and keeps no list. */
export const PLACES: Readonly<Record<EventType, Traits>> = Object.fromEntries(
  EVENTS.map(({ type, place }) => [type, place]),
) as Record<EventType, Traits>;

export function typesThat(say: 'starts' | 'beside' | 'carried' | 'inProofs'): ReadonlySet<EventType> {
  const types = Object.keys(PLACES) as EventType[];
  return new Set(types.filter((type) => PLACES[type][say] === true));
}
