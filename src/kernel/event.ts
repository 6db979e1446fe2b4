// The closed union of everything a ledger can say. An unknown type is refused by name, never skipped.
import { z } from 'zod';
import { ActionRequested, PolicyEvaluated } from './action/events.ts';
import {
  ApprovalDenied,
  ApprovalExpired,
  ApprovalGranted,
  ApprovalInvalidated,
  ApprovalRequested,
  VoteCast,
  VoteWithdrawn,
} from './approval/events.ts';
import { ArtifactErased, ArtifactRecorded } from './artifact/events.ts';
import {
  AttemptCancelled,
  AttemptCreated,
  AttemptFailed,
  AttemptSucceeded,
  AttemptSuperseded,
  ContextCompiled,
} from './attempt/events.ts';
import { CellClosed, CellSpawned } from './cell/events.ts';
import { DecisionRecorded } from './decision/events.ts';
import { EffectIntended, EffectObserved, EffectsComputed } from './effect/events.ts';
import { GrantIssued, GrantRevoked } from './grant/events.ts';
import { IngressRecorded } from './ingress/events.ts';
import { LeaseAcquired, LeaseExpired, LeaseReleased } from './lease/events.ts';
import {
  CutOffAdopted,
  MissionEnded,
  MissionOpened,
  MissionProposed,
  PlanComputed,
  ProjectionAnchored,
  RosterAdopted,
} from './mission/events.ts';
import { NoteRecorded } from './note/events.ts';
import {
  ClaimsReleased,
  HaltDeclared,
  HaltLifted,
  KeyCutOff,
  MissionRegistered,
  PolicyRevised,
  ProjectOpened,
  RosterUpdated,
  TreeHeadRecorded,
} from './project/events.ts';
import { ReceiptIssued } from './receipt/events.ts';
import { StepCreated } from './step/events.ts';
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
import { BlockedRaised, DoneClaimed, VerificationRecorded, WorkProposed, WorkRefused } from './handover/events.ts';

export const Event = z.discriminatedUnion('event_type', [
  ProjectOpened,
  RosterUpdated,
  KeyCutOff,
  MissionRegistered,
  ClaimsReleased,
  TreeHeadRecorded,
  HaltDeclared,
  HaltLifted,
  PolicyRevised,
  MissionOpened,
  RosterAdopted,
  CutOffAdopted,
  IngressRecorded,
  MissionProposed,
  PlanComputed,
  MissionEnded,
  ProjectionAnchored,
  StepCreated,
  AttemptCreated,
  ContextCompiled,
  AttemptSucceeded,
  AttemptFailed,
  AttemptCancelled,
  AttemptSuperseded,
  ActionRequested,
  PolicyEvaluated,
  ApprovalRequested,
  VoteCast,
  VoteWithdrawn,
  ApprovalGranted,
  ApprovalDenied,
  ApprovalExpired,
  ApprovalInvalidated,
  GrantIssued,
  GrantRevoked,
  LeaseAcquired,
  LeaseReleased,
  LeaseExpired,
  CellSpawned,
  CellClosed,
  DoneClaimed,
  BlockedRaised,
  WorkProposed,
  WorkRefused,
  VerificationRecorded,
  EffectsComputed,
  EffectIntended,
  EffectObserved,
  DecisionRecorded,
  ReceiptIssued,
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
