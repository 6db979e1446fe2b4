// The closed union of everything a ledger can say. An unknown type is refused by name, never skipped.
import { z } from 'zod';
import { ArtifactErased, ArtifactRecorded } from './artifact/events.ts';
import { CutOffAdopted, MissionOpened, RosterAdopted } from './mission/events.ts';
import { NoteRecorded } from './note/events.ts';
import {
  ClaimsReleased,
  HaltDeclared,
  HaltLifted,
  KeyCutOff,
  MissionRegistered,
  ProjectOpened,
  RosterUpdated,
  TreeHeadRecorded,
} from './project/events.ts';
import {
  TaskBlocked,
  TaskCancelled,
  TaskCompleted,
  TaskCreated,
  TaskFailed,
  TaskPaused,
  TaskReadied,
  TaskResumed,
  TaskRolledBack,
  TaskStarted,
  TaskUnblocked,
} from './task/events.ts';
import { LedgerRepaired, LedgerSealed, TrustAnnotated } from './trust/events.ts';

export const Event = z.discriminatedUnion('event_type', [
  ProjectOpened,
  RosterUpdated,
  KeyCutOff,
  MissionRegistered,
  ClaimsReleased,
  TreeHeadRecorded,
  HaltDeclared,
  HaltLifted,
  MissionOpened,
  RosterAdopted,
  CutOffAdopted,
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
  NoteRecorded,
  ArtifactRecorded,
  ArtifactErased,
  LedgerRepaired,
  LedgerSealed,
  TrustAnnotated,
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['event_type'];
export type EventOf<Type extends EventType> = Extract<Event, { event_type: Type }>;

export const EVENT_TYPES: ReadonlySet<string> = new Set(Event.options.map((option) => option.shape.event_type.value));

/** What kind of thing each event type is about. */
export const ENTITY_TYPES: Readonly<Record<EventType, Event['entity_type']>> = Object.fromEntries(
  Event.options.map((option) => [option.shape.event_type.value, option.shape.entity_type.value]),
) as Record<EventType, Event['entity_type']>;
