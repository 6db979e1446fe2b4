// One event of every type that stands where it may stand: whatever a test changes in it is the reason for a refusal.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { EventOf, EventType } from '../../src/kernel/event.ts';
import { rosterDigest, type Roster } from '../../src/kernel/roster/roster.ts';
import { TASK_MOVES, type TaskMove } from '../../src/kernel/task/evolve.ts';
import { COURSE_EXAMPLES, type Example, type MakeExample } from './course-examples.ts';
import { courseAt } from './course.ts';
import { uuid } from './events.ts';
import {
  CAST,
  castRoster,
  DIGEST,
  fact,
  HEAD,
  MISSION,
  missionOpened,
  openedMission,
  openedProject,
  PROJECT,
  RUT,
  TASK,
} from './given.ts';
import { signatures, type TestKey } from './people.ts';
import type { Signer } from '../../src/ports/keys.ts';

export function exampleOf(type: EventType, by: TestKey): Promise<Example> {
  return EXAMPLES[type](by);
}

export function nextRoster(current: Roster, changes: Partial<Roster> = {}): Roster {
  return { ...current, n: current.n + 1, prev: rosterDigest(nodeCrypto, current), ...changes };
}

export async function rosterUpdate(
  next: Roster,
  roots: readonly Signer[] = [CAST.root],
): Promise<EventOf<'roster.updated'>['payload']> {
  return { roster: next, signatures: await signatures('roster', next, roots) };
}

/** Where the project has it: below any head that a mission cites. */
const ADOPTED_FROM = { index: 0, leaf: 'ab'.repeat(32) } as const;

export async function rosterAdoption(
  ...update: Parameters<typeof rosterUpdate>
): Promise<EventOf<'roster.adopted'>['payload']> {
  return { ...(await rosterUpdate(...update)), from: ADOPTED_FROM };
}

export async function cutOffAdoption(
  ...words: Parameters<typeof cutOff>
): Promise<EventOf<'cut_off.adopted'>['payload']> {
  return { ...(await cutOff(...words)), from: ADOPTED_FROM };
}

export async function sealOf(
  changes: Partial<EventOf<'ledger.sealed'>['payload']['seal']> = {},
  roots: readonly Signer[] = [CAST.root],
): Promise<EventOf<'ledger.sealed'>['payload']> {
  const document = { ledger_id: MISSION, roster: rosterDigest(nodeCrypto, castRoster()), ...changes };
  return { seal: document, signatures: await signatures('seal', document, roots) };
}

/** Cuts off the runner's key, unless another is named. */
export async function cutOff(
  changes: Partial<EventOf<'key.cut_off'>['payload']['cut_off']> = {},
  roots: readonly Signer[] = [CAST.root],
): Promise<EventOf<'key.cut_off'>['payload']> {
  const document = {
    fingerprint: CAST.runner.fingerprint,
    heads: [{ head: HEAD, ledger_id: MISSION }],
    project_id: PROJECT,
    roster: rosterDigest(nodeCrypto, castRoster()),
    ...changes,
  };
  return { cut_off: document, signatures: await signatures('cut-off', document, roots) };
}

export async function annotation(
  changes: Partial<EventOf<'trust.annotated'>['payload']['annotation']> = {},
  roots: readonly Signer[] = [CAST.root],
): Promise<EventOf<'trust.annotated'>['payload']> {
  const document = {
    fingerprint: CAST.runner.fingerprint,
    from: 2,
    judgement: 'accepted' as const,
    ledger_id: MISSION,
    roster: rosterDigest(nodeCrypto, castRoster()),
    until: 5,
    ...changes,
  };
  return { annotation: document, signatures: await signatures('annotation', document, roots) };
}

export async function repairOf(
  changes: Partial<EventOf<'ledger.repaired'>['payload']['repair']> = {},
  roots: readonly Signer[] = [CAST.root],
): Promise<EventOf<'ledger.repaired'>['payload']> {
  const document = {
    foreign_count: 2,
    foreign_tip: 'ef'.repeat(20),
    ledger_id: MISSION,
    roster: rosterDigest(nodeCrypto, castRoster()),
    valid_head: HEAD,
    ...changes,
  };
  return { repair: document, signatures: await signatures('repair', document, roots) };
}

export const registration = { claims: ['src/**'], genesis: 'ee'.repeat(20), mission_id: MISSION };
const registered = { [MISSION]: { genesis: registration.genesis, claims: registration.claims } };

function taskMove<Type extends TaskMove>(type: Type, payload: EventOf<Type>['payload']): MakeExample {
  return async (by) => ({
    // A runner moves a task under its lease.
    given: {
      ...(by === CAST.runner ? courseAt('leased') : openedMission()),
      tasks: { [TASK]: TASK_MOVES[type].from[0] },
    },
    event: fact(type, payload, by, { task: TASK }),
  });
}

const EXAMPLES: Readonly<Record<EventType, MakeExample>> = {
  'project.opened': async (by) => ({ given: undefined, event: fact('project.opened', { roster: castRoster() }, by) }),
  'roster.updated': async (by) => ({
    given: openedProject(),
    event: fact('roster.updated', await rosterUpdate(nextRoster(castRoster())), by),
  }),
  'key.cut_off': async (by) => ({ given: openedProject(), event: fact('key.cut_off', await cutOff(), by) }),
  'mission.registered': async (by) => ({
    given: openedProject(),
    event: fact('mission.registered', registration, by, { entity: MISSION }),
  }),
  'claims.released': async (by) => ({
    given: { ...openedProject(), missions: registered },
    event: fact('claims.released', { after: HEAD, because: 'withdrawn', mission_id: MISSION }, by, { entity: MISSION }),
  }),
  'tree_head.recorded': async (by) => ({
    given: { ...openedProject(), missions: registered },
    event: fact('tree_head.recorded', { because: 'sealed', head: HEAD, ledger_id: MISSION }, by, { entity: MISSION }),
  }),
  'halt.declared': async (by) => ({ given: openedProject(), event: fact('halt.declared', {}, by) }),
  'halt.lifted': async (by) => ({
    given: { ...openedProject(), halt: { by: 'person', since: '2026-11-18T10:00:00.000Z', root: false } },
    event: fact('halt.lifted', {}, by),
  }),
  'policy.revised': async (by) => ({
    given: openedProject(),
    event: fact('policy.revised', { policy: DIGEST, revision: 1, sacred: DIGEST }, by),
  }),
  'mission.opened': async (by) => ({
    given: undefined,
    event: missionOpened(by),
    at: { parent: { head: HEAD, state: openedProject() } },
  }),
  'roster.adopted': async (by) => ({
    given: openedMission(),
    event: fact('roster.adopted', await rosterAdoption(nextRoster(castRoster())), by),
  }),
  'cut_off.adopted': async (by) => ({
    given: openedMission(),
    event: fact('cut_off.adopted', await cutOffAdoption({ fingerprint: RUT.fingerprint }), by),
  }),
  'task.created': async (by) => ({
    given: openedMission(),
    event: fact('task.created', { contract: DIGEST }, by, { task: TASK }),
  }),
  'task.readied': taskMove('task.readied', {}),
  'task.started': taskMove('task.started', {}),
  'task.blocked': taskMove('task.blocked', { because: 'question_open' }),
  'task.unblocked': taskMove('task.unblocked', {}),
  'task.paused': taskMove('task.paused', { because: 'held' }),
  'task.resumed': taskMove('task.resumed', {}),
  'task.completed': taskMove('task.completed', { evidence: [DIGEST] }),
  'task.failed': taskMove('task.failed', { because: 'verify_failed' }),
  'task.cancelled': taskMove('task.cancelled', { because: 'withdrawn' }),
  'task.rolled_back': taskMove('task.rolled_back', { because: 'reverted' }),
  ...COURSE_EXAMPLES,
  'note.recorded': async (by) => ({
    given: openedMission(),
    event: fact('note.recorded', { bytes: 12, digest: DIGEST, media_type: 'text/plain' }, by, { entity: uuid('note') }),
  }),
  'artifact.recorded': async (by) => ({
    given: openedMission(),
    event: fact(
      'artifact.recorded',
      { bytes: 12, digest: DIGEST, encryption: 'none', media_type: 'application/json' },
      by,
      { entity: uuid('artifact') },
    ),
  }),
  'artifact.erased': async (by) => ({
    given: openedMission(),
    event: fact('artifact.erased', { because: 'asked_for', digest: DIGEST }, by, { entity: uuid('artifact') }),
  }),
  'ledger.repaired': async (by) => ({ given: openedMission(), event: fact('ledger.repaired', await repairOf(), by) }),
  'ledger.sealed': async (by) => ({ given: openedMission(), event: fact('ledger.sealed', await sealOf(), by) }),
  'trust.annotated': async (by) => ({ given: openedMission(), event: fact('trust.annotated', await annotation(), by) }),
};
