// One event of every type that stands where it may stand: whatever a test changes in it is the reason for a refusal.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { EventOf, EventType } from '../../src/kernel/event.ts';
import { rosterDigest, type Roster } from '../../src/kernel/roster/roster.ts';
import type { TaskMove, TaskStatus } from '../../src/kernel/task/evolve.ts';
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
import { agreed, nextRoster, type TestKey } from './people.ts';

export function exampleOf(type: EventType, by: TestKey): Example {
  return EXAMPLES[type](by);
}

export function rosterUpdate(
  next: Roster,
  roots: readonly TestKey[] = [CAST.root],
): EventOf<'roster.updated'>['payload'] {
  return agreed(roots, 'roster', next);
}

/** Where the project has it: below any head that a mission cites. */
const ADOPTED_FROM = { index: 0, leaf: 'ab'.repeat(32) } as const;

export function rosterAdoption(...update: Parameters<typeof rosterUpdate>): EventOf<'roster.adopted'>['payload'] {
  return { ...rosterUpdate(...update), from: ADOPTED_FROM };
}

export function cutOffAdoption(...words: Parameters<typeof cutOff>): EventOf<'cut_off.adopted'>['payload'] {
  return { ...cutOff(...words), from: ADOPTED_FROM };
}

export function sealOf(
  changes: Partial<EventOf<'ledger.sealed'>['payload']['seal']> = {},
  roots: readonly TestKey[] = [CAST.root],
): EventOf<'ledger.sealed'>['payload'] {
  const document = { ledger_id: MISSION, roster: rosterDigest(nodeCrypto, castRoster()), ...changes };
  return agreed(roots, 'seal', document);
}

/** Cuts off the runner's key, unless another is named. */
export function cutOff(
  changes: Partial<EventOf<'key.cut_off'>['payload']['cut_off']> = {},
  roots: readonly TestKey[] = [CAST.root],
): EventOf<'key.cut_off'>['payload'] {
  const document = {
    fingerprint: CAST.runner.fingerprint,
    heads: [{ head: HEAD, ledger_id: MISSION }],
    project_id: PROJECT,
    roster: rosterDigest(nodeCrypto, castRoster()),
    ...changes,
  };
  return agreed(roots, 'cut_off', document);
}

export function annotation(
  changes: Partial<EventOf<'trust.annotated'>['payload']['annotation']> = {},
  roots: readonly TestKey[] = [CAST.root],
): EventOf<'trust.annotated'>['payload'] {
  const document = {
    fingerprint: CAST.runner.fingerprint,
    from: 2,
    judgement: 'accepted' as const,
    ledger_id: MISSION,
    roster: rosterDigest(nodeCrypto, castRoster()),
    until: 5,
    ...changes,
  };
  return agreed(roots, 'annotation', document);
}

export function repairOf(
  changes: Partial<EventOf<'ledger.repaired'>['payload']['repair']> = {},
  roots: readonly TestKey[] = [CAST.root],
): EventOf<'ledger.repaired'>['payload'] {
  const document = {
    foreign_count: 2,
    foreign_tip: 'ef'.repeat(20),
    ledger_id: MISSION,
    roster: rosterDigest(nodeCrypto, castRoster()),
    valid_head: HEAD,
    ...changes,
  };
  return agreed(roots, 'repair', document);
}

export const registration = { claims: ['src/**'], genesis: 'ee'.repeat(20), mission_id: MISSION };
const registered = { [MISSION]: { genesis: registration.genesis, claims: registration.claims } };

const BEFORE_MOVE: Readonly<Record<TaskMove, TaskStatus>> = {
  'task.readied': 'created',
  'task.started': 'ready',
  'task.blocked': 'running',
  'task.unblocked': 'blocked',
  'task.paused': 'running',
  'task.resumed': 'paused',
  'task.completed': 'running',
  'task.failed': 'running',
  'task.cancelled': 'ready',
  'task.rolled_back': 'completed',
};

function taskMove<Type extends TaskMove>(type: Type, payload: EventOf<Type>['payload']): MakeExample {
  return (by) => ({
    // A runner moves a task under its lease.
    given: {
      ...(by === CAST.runner ? courseAt('leased') : openedMission()),
      tasks: { [TASK]: BEFORE_MOVE[type] },
    },
    event: fact(type, payload, by, { task: TASK }),
  });
}

const EXAMPLES: Readonly<Record<EventType, MakeExample>> = {
  'project.opened': (by) => ({ given: undefined, event: fact('project.opened', { roster: castRoster() }, by) }),
  'roster.updated': (by) => ({
    given: openedProject(),
    event: fact('roster.updated', rosterUpdate(nextRoster(castRoster())), by),
  }),
  'key.cut_off': (by) => ({ given: openedProject(), event: fact('key.cut_off', cutOff(), by) }),
  'mission.registered': (by) => ({
    given: openedProject(),
    event: fact('mission.registered', registration, by, { entity: MISSION }),
  }),
  'claims.released': (by) => ({
    given: { ...openedProject(), missions: registered },
    event: fact('claims.released', { after: HEAD, because: 'withdrawn', mission_id: MISSION }, by, { entity: MISSION }),
  }),
  'tree_head.recorded': (by) => ({
    given: { ...openedProject(), missions: registered },
    event: fact('tree_head.recorded', { because: 'sealed', head: HEAD, ledger_id: MISSION }, by, { entity: MISSION }),
  }),
  'halt.declared': (by) => ({ given: openedProject(), event: fact('halt.declared', {}, by) }),
  'halt.lifted': (by) => ({
    given: { ...openedProject(), halt: { by: 'person', since: '2026-11-18T10:00:00.000Z', root: false } },
    event: fact('halt.lifted', {}, by),
  }),
  'policy.revised': (by) => ({
    given: openedProject(),
    event: fact('policy.revised', { policy: DIGEST, revision: 1, sacred: DIGEST }, by),
  }),
  'mission.opened': (by) => ({
    given: undefined,
    event: missionOpened(by),
    at: { parent: { head: HEAD, state: openedProject() } },
  }),
  'roster.adopted': (by) => ({
    given: openedMission(),
    event: fact('roster.adopted', rosterAdoption(nextRoster(castRoster())), by),
  }),
  'cut_off.adopted': (by) => ({
    given: openedMission(),
    event: fact('cut_off.adopted', cutOffAdoption({ fingerprint: RUT.fingerprint }), by),
  }),
  'task.created': (by) => ({
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
  'note.recorded': (by) => ({
    given: openedMission(),
    event: fact('note.recorded', { bytes: 12, digest: DIGEST, media_type: 'text/plain' }, by, { entity: uuid('note') }),
  }),
  'artifact.recorded': (by) => ({
    given: openedMission(),
    event: fact(
      'artifact.recorded',
      { bytes: 12, digest: DIGEST, encryption: 'none', media_type: 'application/json' },
      by,
      { entity: uuid('artifact') },
    ),
  }),
  'artifact.erased': (by) => ({
    given: openedMission(),
    event: fact('artifact.erased', { because: 'asked_for', digest: DIGEST }, by, { entity: uuid('artifact') }),
  }),
  'ledger.repaired': (by) => ({ given: openedMission(), event: fact('ledger.repaired', repairOf(), by) }),
  'ledger.sealed': (by) => ({ given: openedMission(), event: fact('ledger.sealed', sealOf(), by) }),
  'trust.annotated': (by) => ({ given: openedMission(), event: fact('trust.annotated', annotation(), by) }),
};
