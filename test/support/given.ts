// Given a state, when somebody signs an event, the state after it or the refusal: the kernel's rules as sentences. One person per role, so that a
// test shows which role it is about; real keys, no doubles.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { hex } from '../../src/format/bytes.ts';
import { writeEvent } from '../../src/kernel/codec.ts';
import type { Event, EventOf, EventType } from '../../src/kernel/event.ts';
import type { Role } from '../../src/kernel/principal.ts';
import type { Roster } from '../../src/kernel/roster/roster.ts';
import type { MissionState, ProjectState, State } from '../../src/kernel/state.ts';
import { transition, type Circumstances } from '../../src/kernel/transition.ts';
import type { TreeHead } from '../../src/kernel/values.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { caused } from './causes.ts';
import { event, uuid } from './events.ts';
import { member, roster, testKey, type TestKey } from './people.ts';

export const PROJECT = uuid('project');
export const MISSION = uuid('mission');
export const TASK = uuid('task');
export const DIGEST = `sha256:${'5a'.repeat(32)}`;
export const HEAD: TreeHead = { size: 10, root: 'ab'.repeat(32), oid: 'cd'.repeat(20) };
const NOW = { index: 10, from: 10, basis: 10 } as const;

export const ROLES: readonly Role[] = ['gate', 'person', 'root', 'runner', 'witness', 'writer'];
export const CAST = Object.fromEntries(ROLES.map((role) => [role, testKey(role)])) as Record<Role, TestKey>;
/** A second root, another person. */
export const RUT = testKey('rut');
export const STRANGER = testKey('stranger');

/** One member per role, named after it, and a second root. */
export function castRoster(changes: Partial<Roster> = {}): Roster {
  const members = ROLES.map((role) => member(CAST[role], { roles: [role] }));
  return roster(PROJECT, [...members, member(RUT, { roles: ['root'] })], changes);
}

export type Fields = { entity?: string; task?: string; actor?: string } & Partial<
  Pick<Event, 'actor_type' | 'attempt_id' | 'event_id' | 'occurred_at' | 'step_id'>
>;

/** An event as `by` would write it; about the project for a project's event types, else about the mission. */
export function fact<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  by: TestKey,
  { entity, task, actor, ...fields }: Fields = {},
): EventOf<Type> {
  const about = task ?? (PROJECT_EVENTS.includes(type) ? PROJECT : MISSION);
  return event(type, payload, {
    actor_id: actor ?? by.principalId,
    entity_id: entity ?? about,
    task_id: about,
    ...fields,
  });
}

const PROJECT_EVENTS: readonly EventType[] = [
  'project.opened',
  'roster.updated',
  'key.cut_off',
  'mission.registered',
  'claims.released',
  'tree_head.recorded',
  'halt.declared',
  'halt.lifted',
  'policy.revised',
];

export function when(
  state: State | undefined,
  said: Event,
  by: TestKey,
  changes: Partial<Circumstances> = {},
): Verdict<State> {
  const judgedBy = state?.roster ?? changes.parent?.state.roster;
  // Who names what may be named tests causes, and means what it says.
  const meant = 'nameable' in changes ? said : caused(said, { state, earlier: [] });
  return transition(state, meant, {
    crypto: nodeCrypto,
    kind: state?.kind ?? (said.event_type === 'mission.opened' ? 'mission' : 'project'),
    signer: judgedBy?.members.find((one) => one.keys.some((key) => key.fingerprint === by.fingerprint)),
    fingerprint: by.fingerprint,
    ...NOW,
    digest: () => `sha256:${hex(nodeCrypto.hash('sha256', bytesOf(meant)))}`,
    parent: undefined,
    nameable: new Set(Object.values(state?.causes.moved ?? {})),
    ...changes,
  });
}

/** The state after an accepted event; a refusal here is a mistake in the test. */
export function after(verdict: Verdict<State>): State {
  if (verdict.is === 'refused') throw new Error(`${verdict.code} ${JSON.stringify(verdict.facts)}`);
  return verdict.value;
}

export function projectAfter(verdict: Verdict<State>): ProjectState {
  const state = after(verdict);
  if (state.kind !== 'project') throw new Error('the state of a mission');
  return state;
}

export function missionAfter(verdict: Verdict<State>): MissionState {
  const state = after(verdict);
  if (state.kind !== 'mission') throw new Error('the state of a project');
  return state;
}

export function bytesOf(said: Event): Uint8Array {
  const bytes = writeEvent(said);
  if (bytes.is === 'refused') throw new Error(`${bytes.code} ${JSON.stringify(bytes.facts)}`);
  return bytes.value.blob;
}

export function openedProject(judgedBy: Roster = castRoster()): ProjectState {
  return projectAfter(when(undefined, fact('project.opened', { roster: judgedBy }, CAST.root), CAST.root));
}

export function openedMission(project: ProjectState = openedProject()): MissionState {
  return missionAfter(when(undefined, missionOpened(CAST.gate), CAST.gate, { parent: { head: HEAD, state: project } }));
}

export function missionOpened(by: TestKey): EventOf<'mission.opened'> {
  return fact('mission.opened', { grew_from: HEAD, mission_id: MISSION, project_id: PROJECT, proposal: null }, by);
}
