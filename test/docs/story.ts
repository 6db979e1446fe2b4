// A project and a mission in which nearly everything that the format knows happens once: what another verifier is tried on.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { GitObject } from '../../src/format/git/object.ts';
import type { Event, EventOf, EventType } from '../../src/kernel/event.ts';
import { rosterDigest, type Roster } from '../../src/kernel/roster/roster.ts';
import { hex } from '../../src/format/bytes.ts';
import { leafHash } from '../../src/format/merkle.ts';
import type { AdoptedFrom } from '../../src/kernel/mission/events.ts';
import { headOf } from '../../src/ledger/tip.ts';
import { bytesOf } from '../support/given.ts';
import { event, uuid } from '../support/events.ts';
import { agreed, member, nextRoster, roster, testKey } from '../support/people.ts';
import { Written } from './written.ts';

export const ana = testKey('ana');
const ben = testKey('ben');
const rex = testKey('rex');
const dee = testKey('dee');
const PROJECT_ID = uuid('story project');
export const MISSION_ID = uuid('story mission');
const TASK_ID = uuid('story task');
const DIGEST = `sha256:${'5a'.repeat(32)}`;

export type Story = { readonly project: Written; readonly mission: Written; readonly garbage: GitObject };

export function story(): Story {
  const project = Written.project();
  project.append(ana, [inProject('project.opened', { roster: firstRoster() })]);
  project.append(ana, [inProject('halt.declared', {}), inProject('halt.lifted', {})]);
  const mission = Written.mission(project);
  open(project, mission);
  changeRoster(project, mission);
  cutOff(project, mission);
  fillSegments(mission);
  const garbage = repair(mission);
  const seal = { ledger_id: MISSION_ID, roster: rosterDigest(nodeCrypto, mission.tip.state!.roster) };
  mission.append(ana, [inMission('ledger.sealed', agreed([ana, ben], 'seal', seal), { entity_id: MISSION_ID })]);
  const head = headOf(mission.tip);
  project.append(ana, [
    inProject('claims.released', { after: head, because: 'withdrawn', mission_id: MISSION_ID }, 'ana', MISSION_ID),
    inProject('tree_head.recorded', { because: 'sealed', head, ledger_id: MISSION_ID }, 'ana', MISSION_ID),
  ]);
  return { project, mission, garbage };
}

/** Two roots who must agree, and a runner. */
function firstRoster(): Roster {
  return roster(
    PROJECT_ID,
    [
      member(ana),
      member(ben, { roles: ['person', 'root'] }),
      member(rex, { roles: ['runner'], principal_type: 'runner', person_id: null, forge_user_id: 12 }),
    ],
    { threshold: 2 },
  );
}

function open(project: Written, mission: Written): void {
  const grew_from = headOf(project.tip);
  const opened = { grew_from, mission_id: MISSION_ID, project_id: PROJECT_ID, proposal: DIGEST };
  const { commit } = mission.append(ana, [
    inMission('mission.opened', opened, { entity_id: MISSION_ID }),
    onTask('task.created', { contract: null }),
    onTask('task.readied', {}),
    onTask('task.cancelled', { because: 'wrong_scope' }),
  ]);
  // A name outside ASCII: the one kind of text that a ledger holds.
  const claims = ['src/**', 'docs/größe.md'];
  project.append(ana, [
    inProject('mission.registered', { claims, genesis: commit.oid, mission_id: MISSION_ID }, 'ana', MISSION_ID),
  ]);
}

function changeRoster(project: Written, mission: Written): void {
  const before = project.tip.state!.roster;
  const members = [...before.members, member(dee, { roles: ['gate', 'witness'], layer: 'L2' })];
  const next = nextRoster(before, { members: roster(PROJECT_ID, members).members });
  const update = agreed([ana, ben], 'roster', next);
  const updated = inProject('roster.updated', update, 'ben');
  project.append(ben, [updated]);
  const adoption = { ...update, from: newestOf(project, updated) };
  mission.append(ana, [inMission('roster.adopted', adoption)], { project: headOf(project.tip) });
  // Under the new roster, and speaking for somebody else on it: a gate may.
  mission.append(dee, [inMission('note.recorded', NOTE, { actor_id: 'ben' })]);
}

function cutOff(project: Written, mission: Written): void {
  const cut_off = {
    fingerprint: rex.fingerprint,
    heads: [{ head: headOf(mission.tip), ledger_id: MISSION_ID }],
    project_id: PROJECT_ID,
    roster: rosterDigest(nodeCrypto, project.tip.state!.roster),
  };
  const payload = agreed([ana, ben], 'cut_off', cut_off);
  const cut = inProject('key.cut_off', payload);
  project.append(ana, [cut]);
  const adoption = { ...payload, from: newestOf(project, cut) };
  mission.append(rex, [inMission('note.recorded', NOTE, { actor_id: 'rex', actor_type: 'runner' })]);
  mission.append(ana, [inMission('cut_off.adopted', adoption)], { project: headOf(project.tip) });
  const size = mission.tip.size;
  const annotation = {
    fingerprint: rex.fingerprint,
    from: size - 2,
    judgement: 'accepted' as const,
    ledger_id: MISSION_ID,
    roster: rosterDigest(nodeCrypto, mission.tip.state!.roster),
    until: size - 1,
  };
  mission.append(ana, [inMission('trust.annotated', agreed([ana, ben], 'annotation', annotation))]);
}

/** Where the event stands that was appended last. */
function newestOf({ tip }: Written, newest: Event): AdoptedFrom {
  return { index: tip.size - 1, leaf: hex(leafHash(nodeCrypto, bytesOf(newest))) };
}

/** Past two segment boundaries, exactly onto the second: the open segment is empty once. */
function fillSegments(mission: Written): void {
  const events = [
    inMission('artifact.recorded', { bytes: 4, digest: DIGEST, encryption: 'none', media_type: 'text/plain' }),
    inMission('artifact.erased', { because: 'asked_for', digest: DIGEST }),
  ];
  const another = uuid('another task');
  mission.append(ana, [
    onTask('task.created', { contract: DIGEST }, another),
    onTask('task.readied', {}, another),
    onTask('task.cancelled', { because: 'wrong_scope' }, another),
    ...events,
  ]);
  mission.append(ana, notes(250));
  mission.append(ana, notes(512 - mission.tip.size));
  mission.append(ana, notes(1));
}

/** A stranger fast-forwards two commits of their own onto the ledger; the roots go on from the last good one. */
function repair(mission: Written): GitObject {
  const validHead = headOf(mission.tip);
  const garbage = mission.litter(mission.litter(validHead.oid, 'hello\n').oid, 'again\n');
  const document = {
    foreign_count: 2,
    foreign_tip: garbage.oid,
    ledger_id: MISSION_ID,
    roster: rosterDigest(nodeCrypto, mission.tip.state!.roster),
    valid_head: validHead,
  };
  mission.append(ana, [inMission('ledger.repaired', agreed([ana, ben], 'repair', document))]);
  return garbage;
}

const NOTE = { bytes: 12, digest: DIGEST, media_type: 'text/plain' };

function notes(count: number): Event[] {
  return Array.from({ length: count }, (_, i) => inMission('note.recorded', { ...NOTE, bytes: i }));
}

function inProject<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  actor_id = 'ana',
  entity_id = PROJECT_ID,
) {
  return event(type, payload, { entity_id, task_id: PROJECT_ID, actor_id });
}

function inMission<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  fields: { entity_id?: string; actor_id?: string; actor_type?: 'runner' } = {},
) {
  return event(type, payload, {
    entity_id: uuid(`entity of ${type}`),
    task_id: MISSION_ID,
    actor_id: 'ana',
    ...fields,
  });
}

function onTask<Type extends EventType>(type: Type, payload: EventOf<Type>['payload'], task = TASK_ID) {
  return event(type, payload, { entity_id: task, task_id: task, actor_id: 'ana' });
}
