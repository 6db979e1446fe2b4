// The one place where an event meets a state: accepted with the state after it, or refused with the rule it breaks.
// A writer asks before it signs, a verifier asks again for every event of history: the same function, the same answer.
import type { Crypto } from '../format/crypto.ts';
import type { Event, EventOf, EventType } from './event.ts';
import { moveTask, TASK_MOVES, type TaskMove } from './task/evolve.ts';
import { TASKS_PER_MISSION_MAX } from './limits.ts';
import { follow } from './mission/follow.ts';
import { openMission, adoptCutOff, adoptRoster } from './mission/evolve.ts';
import {
  concludeMission,
  cutOffKey,
  declareHalt,
  openProject,
  registerMission,
  releaseClaims,
  revisePolicy,
  updateRoster,
} from './project/evolve.ts';
import type { Role } from './principal.ts';
import { maySign, mayStandIn, type LedgerKind } from './roles.ts';
import type { Member } from './roster/roster.ts';
import type { MissionState, ProjectState, State } from './state.ts';
import { annotate, repair, seal } from './trust/evolve.ts';
import type { TreeHead } from './values.ts';
import { accept, refuse, type Verdict } from './verdict.ts';

export type Circumstances = {
  readonly crypto: Crypto;
  readonly kind: LedgerKind;
  /** The signing member; undefined only for a project's first event, which brings its own roster. */
  readonly signer: Member | undefined;
  readonly fingerprint: string;
  /** Position the event takes. */
  readonly index: number;
  /** Size of the project ledger that the transaction was decided under. */
  readonly basis: number;
  /** Missions: the same of the transaction before; left out, nothing lies in between. */
  readonly since?: number | undefined;
  /** SHA-256 of the event's bytes; computed only where asked for. */
  readonly digest: () => string;
  /** For a mission's first event: the project ledger commit it grows from, and the state there. */
  readonly parent: { readonly head: TreeHead; readonly state: ProjectState } | undefined;
};

export function transition(state: State | undefined, event: Event, at: Circumstances): Verdict<State> {
  if (!mayStandIn(event.event_type, at.kind))
    return refuse('event_type_misplaced', { event_type: event.event_type, ledger: at.kind });
  if (state === undefined) return begin(event, at);
  if (state.sealed) return refuse('ledger_sealed', { event_type: event.event_type });
  const signer = at.signer;
  if (signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
  const allowed = checkSigner(event, signer.roles, signer);
  if (allowed.is === 'refused') return allowed;
  return state.kind === 'project' ? evolveProject(state, event, at) : evolveMission(state, event, at);
}

/** The first event of a ledger must open it, and nothing else may. */
function begin(event: Event, at: Circumstances): Verdict<State> {
  if (event.event_type === 'project.opened') {
    const opened = openProject(event, at);
    if (opened.is === 'refused') return opened;
    const signer = opened.value.roster.members.find((m) => m.keys.some((key) => key.fingerprint === at.fingerprint));
    if (signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
    const allowed = checkSigner(event, signer.roles, signer);
    return allowed.is === 'refused' ? allowed : opened;
  }
  if (event.event_type !== 'mission.opened') return refuse('ledger_not_opened', { event_type: event.event_type });
  if (at.parent === undefined) return refuse('mission_without_project', { mission: event.payload.mission_id });
  if (at.signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
  const allowed = checkSigner(event, at.signer.roles, at.signer);
  return allowed.is === 'refused' ? allowed : openMission(event, at.parent);
}

/** The role must allow the type, and only a gate or a writer may speak for somebody else. */
export function checkSigner(event: Event, roles: readonly Role[], signer: Member): Verdict<undefined> {
  const { event_type, actor_id, actor_type } = event;
  if (!maySign(event_type, roles))
    return refuse('role_not_allowed', { event_type, principal: signer.principal_id, roles });
  if (actor_id === signer.principal_id) {
    if (actor_type !== signer.principal_type)
      return refuse('actor_mismatch', { actor: actor_id, actor_type, signer_type: signer.principal_type });
    return accept(undefined);
  }
  const relays = roles.includes('gate') || roles.includes('writer');
  return relays ? accept(undefined) : refuse('actor_mismatch', { actor: actor_id, signer: signer.principal_id });
}

function evolveProject(state: ProjectState, event: Event, at: Circumstances): Verdict<State> {
  if (event.task_id !== state.project_id) return refuse('task_unknown', { task: event.task_id });
  if (!namesOneSubject(event)) return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  switch (event.event_type) {
    case 'roster.updated':
      return updateRoster(state, event.payload, at);
    case 'key.cut_off':
      return cutOffKey(state, event.payload, at);
    case 'mission.registered':
      return registerMission(state, event.payload);
    case 'claims.released':
      return releaseClaims(state, event.payload.mission_id);
    case 'tree_head.recorded':
      return concludeMission(state, event.payload);
    case 'halt.declared':
      return declareHalt(state, true);
    case 'halt.lifted':
      return declareHalt(state, false);
    case 'policy.revised':
      return revisePolicy(state, event.payload);
    default:
      return evolveEither(state, event, at);
  }
}

/** A payload and an envelope that disagree on what the event is about would be read in two ways. */
function namesOneSubject(event: Event): boolean {
  switch (event.event_type) {
    case 'mission.registered':
    case 'claims.released':
      return event.entity_id === event.payload.mission_id;
    case 'tree_head.recorded':
      return event.entity_id === event.payload.ledger_id;
    default:
      return true;
  }
}

function evolveMission(state: MissionState, event: Event, at: Circumstances): Verdict<State> {
  if (!hasItsTask(state, event)) return refuse('task_unknown', { task: event.task_id });
  switch (event.event_type) {
    case 'roster.adopted':
      return adoptRoster(state, event.payload, at);
    case 'cut_off.adopted':
      return adoptCutOff(state, event.payload, at);
    case 'note.recorded':
      return accept({ ...state, notes: state.notes + 1 });
    case 'artifact.recorded':
      return accept({ ...state, artifacts: { ...state.artifacts, recorded: state.artifacts.recorded + 1 } });
    case 'artifact.erased':
      return accept({ ...state, artifacts: { ...state.artifacts, erased: state.artifacts.erased + 1 } });
    case 'task.created':
      return createTask(state, event);
    case 'ledger.repaired':
    case 'ledger.sealed':
    case 'trust.annotated':
      return evolveEither(state, event, at);
    case 'project.opened':
    case 'roster.updated':
    case 'key.cut_off':
    case 'mission.registered':
    case 'claims.released':
    case 'tree_head.recorded':
    case 'halt.declared':
    case 'halt.lifted':
    case 'policy.revised':
    case 'mission.opened':
      return refuse('event_out_of_place', { event_type: event.event_type });
    default:
      return isTaskMove(event) ? moveOneTask(state, event) : follow(state, event, at);
  }
}

/** What concerns the mission as a whole carries the mission as its task; notes and artifacts may belong to either. */
function hasItsTask(state: MissionState, { event_type, task_id }: Event): boolean {
  if (event_type === 'task.created') return true;
  if (task_id === state.ledger_id) return OF_THE_MISSION.has(event_type) || TASK_OR_MISSION.has(event_type);
  return !OF_THE_MISSION.has(event_type) && state.tasks[task_id] !== undefined;
}

const TASK_OR_MISSION: ReadonlySet<string> = new Set(['note.recorded', 'artifact.recorded', 'artifact.erased']);
const OF_THE_MISSION: ReadonlySet<EventType> = new Set<EventType>([
  'mission.opened',
  'roster.adopted',
  'cut_off.adopted',
  'ingress.recorded',
  'mission.proposed',
  'plan.computed',
  'mission.ended',
  'projection.anchored',
  'ledger.repaired',
  'ledger.sealed',
  'trust.annotated',
]);

function isTaskMove(event: Event): event is EventOf<TaskMove> {
  return Object.hasOwn(TASK_MOVES, event.event_type);
}

function evolveEither(state: State, event: Event, at: Circumstances): Verdict<State> {
  switch (event.event_type) {
    case 'ledger.sealed':
      return seal(state);
    case 'trust.annotated':
      return annotate(state, event.payload, at);
    case 'ledger.repaired':
      return repair(state, event.payload, at);
    default:
      return refuse('event_out_of_place', { event_type: event.event_type });
  }
}

function createTask(state: MissionState, event: EventOf<'task.created'>): Verdict<State> {
  if (event.entity_id !== event.task_id)
    return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  if (state.tasks[event.task_id] !== undefined || event.task_id === state.ledger_id)
    return refuse('task_exists', { task: event.task_id });
  if (Object.keys(state.tasks).length >= TASKS_PER_MISSION_MAX)
    return refuse('limit_reached', { tasks_max: TASKS_PER_MISSION_MAX });
  return accept({ ...state, tasks: { ...state.tasks, [event.task_id]: 'created' } });
}

function moveOneTask(state: MissionState, event: EventOf<TaskMove>): Verdict<State> {
  const status = state.tasks[event.task_id];
  if (status === undefined || event.entity_id !== event.task_id) return refuse('task_unknown', { task: event.task_id });
  const { course } = state;
  const isOurs = course?.step?.task === event.task_id;
  if (isOurs && event.event_type === 'task.completed' && course.attempt?.status !== 'succeeded')
    return refuse('receipt_missing', { task: event.task_id, attempt: course.attempt?.status ?? 'none' });
  const moved = moveTask(status, event.event_type);
  return moved.is === 'refused' ? moved : accept({ ...state, tasks: { ...state.tasks, [event.task_id]: moved.value } });
}
