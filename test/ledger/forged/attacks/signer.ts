// Attacks by members: on what they may sign, for whom, when, and on what the state of the ledger allows.
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../../../src/kernel/event.ts';
import { rosterDigest } from '../../../../src/kernel/roster/roster.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { headOf, type Tip } from '../../../../src/ledger/tip.ts';
import type { TestKey } from '../../../support/people.ts';
import { KEY, ROSTER_0, UMA_FROM } from '../../../support/forge/cast.ts';
import {
  everywhere,
  forgedOn,
  on,
  refused,
  type Attack,
  type Expected,
  type Forgery,
} from '../../../support/forge/attack.ts';
import { note, opened, said, sealed } from '../../../support/forge/facts.ts';
import { MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import { uuid } from '../../../support/events.ts';

const M = MISSION_ID.long;
const NO_STATE: Expected = { is: 'not_visible', why: 'what the state allows takes the events before it' };

export const SIGNER: readonly Attack[] = [
  {
    name: 'signed-after-validity',
    does: 'signs with a key whose time in the roster is over',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.tom, [note(KEY.tom, M, 9000)]),
    ...everywhere(refused('signer_outside_validity')),
  },
  {
    name: 'signed-with-a-rotated-key',
    does: 'signs with the old key of a member who has a new one',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.rob, [note(KEY.rob, M, 9000)]),
    ...everywhere(refused('signer_outside_validity')),
  },
  {
    name: 'signed-before-validity',
    does: 'signs with a key whose time in the roster has not come',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.uma, [note(KEY.uma, M, 9000)]),
    ...everywhere(refused('signer_outside_validity')),
  },
  {
    name: 'future-project-head',
    does: 'cites an invented project head so far ahead that its key is valid there',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const project = { size: UMA_FROM, root: '33'.repeat(32), oid: '44'.repeat(20) };
      return on('long', long.at('base'), bench.honest(long.at('base'), KEY.uma, [note(KEY.uma, M, 9000)], { project }));
    },
    ...everywhere({
      is: 'distrusted',
      trust: 'project_unconfirmed',
      why: 'a head newer than the reader’s project ledger may exist; the verdict says that it was not seen',
    }),
  },
  {
    name: 'signed-with-a-cut-off-key',
    does: 'signs with a key that the mission knows to be compromised',
    holds: 'a member’s key',
    forge: ({ bench, cut }) =>
      forgedOn(bench, 'cut', cut.tip, KEY.rob, { events: [note(KEY.rob, MISSION_ID.cut, 9000)] }),
    ...everywhere(refused('signer_cut_off')),
  },
  {
    name: 'cut-off-left-out-of-a-proof',
    does: 'signs with a cut-off key as if roster and project were still the old ones, and proves it without the cut-off',
    holds: 'a member’s key',
    forge: ({ bench, cut, project }) => {
      const roster = { n: 0, digest: rosterDigest(nodeCrypto, ROSTER_0) };
      const claims = (honest: Claims): Claims => ({ ...honest, roster });
      const lie = { events: [note(KEY.rob, MISSION_ID.cut, 9000)], project: headOf(project.at('opened')), claims };
      const forgery = forgedOn(bench, 'cut', cut.tip, KEY.rob, lie);
      return { ...forgery, leavesOut: [cut.at('adopted').oid!, cut.tip.oid!] };
    },
    ...everywhere(refused('project_head_decreased')),
    bundle: { is: 'distrusted', trust: 'disowned', why: 'whoever knows the project knows of the cut-off' },
  },
  {
    name: 'signed-with-a-key-cut-off-elsewhere',
    does: 'signs with a compromised key where the mission has not taken the cut-off over yet',
    holds: 'a member’s key',
    forge: ({ bench, gpg }) =>
      on('gpg', gpg.tip, bench.honest(gpg.tip, KEY.rob, [note(KEY.rob, MISSION_ID.gpg, 9000)])),
    ...everywhere({
      is: 'distrusted',
      trust: 'disowned',
      why: 'the project ledger’s cut-off disowns the events; they stay in the chain',
    }),
  },
  {
    name: 'type-outside-the-roles',
    does: 'signs, as a person, an event that only a writer may sign, behind one that it may',
    holds: 'a member’s key',
    forge: (golden) => {
      const finished = said('task.completed', { evidence: [] }, KEY.sam, { task: uuid('golden task') });
      return onLong(golden, KEY.sam, [note(KEY.sam, M, 9000), finished]);
    },
    ...everywhere(refused('role_not_allowed', 1)),
  },
  {
    name: 'seal-without-being-root',
    does: 'ends the mission as a person',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.sam, [sealed(KEY.sam, golden.long.at('base'))]),
    ...everywhere(refused('role_not_allowed')),
  },
  {
    name: 'actor-impersonated',
    does: 'signs an event in the name of another member',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.sam, [note(KEY.sam, M, 9000, 'ana')]),
    ...everywhere(refused('actor_mismatch')),
  },
  {
    name: 'actor-of-another-kind',
    does: 'signs an event as if a service had acted',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.sam, [{ ...note(KEY.sam, M, 9000), actor_type: 'service' }]),
    ...everywhere(refused('actor_mismatch')),
  },
  {
    name: 'type-of-the-project-in-a-mission',
    does: 'declares a halt inside a mission',
    holds: 'one root’s key',
    forge: (golden) => onLong(golden, KEY.ana, [said('halt.declared', {}, KEY.ana)]),
    ...everywhere(refused('event_type_misplaced')),
  },
  {
    name: 'mission-opened-twice',
    does: 'opens the mission a second time inside itself',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.gus, [opened(KEY.gus, M, golden.project.at('opened'))]),
    ...everywhere(refused('event_out_of_place')),
  },
  {
    name: 'task-of-nobody',
    does: 'records a note for a task that does not exist',
    holds: 'a member’s key',
    forge: (golden) => onLong(golden, KEY.sam, [{ ...note(KEY.sam, M, 9000), task_id: uuid('no task') }]),
    ...everywhere(refused('task_unknown')),
    bundle: NO_STATE,
  },
  {
    name: 'task-completed-after-its-end',
    does: 'completes a task that was called off',
    holds: 'a member’s key',
    forge: (golden) =>
      onLong(golden, KEY.wes, [said('task.completed', { evidence: [] }, KEY.wes, { task: uuid('golden task') })]),
    ...everywhere(refused('task_transition_illegal')),
    bundle: NO_STATE,
  },
  {
    name: 'claim-on-taken-paths',
    does: 'registers a second mission for paths that an open one holds',
    holds: 'a member’s key',
    forge: ({ bench, project }) => {
      const payload = { claims: ['src/app/**'], genesis: 'ab'.repeat(20), mission_id: MISSION_ID.gpg };
      const event = said('mission.registered', payload, KEY.gus, { entity: MISSION_ID.gpg });
      return forgedOn(bench, 'project', project.tip, KEY.gus, { events: [event] });
    },
    ...everywhere(refused('path_claimed')),
    bundle: NO_STATE,
  },
  {
    name: 'mission-registered-twice',
    does: 'registers a mission again, with another first commit',
    holds: 'a member’s key',
    forge: ({ bench, project }) => {
      const payload = { claims: [], genesis: 'ab'.repeat(20), mission_id: M };
      const event = said('mission.registered', payload, KEY.gus, { entity: M });
      return forgedOn(bench, 'project', project.tip, KEY.gus, { events: [event] });
    },
    ...everywhere(refused('mission_exists')),
    bundle: NO_STATE,
  },
  {
    name: 'project-head-unknown',
    does: 'cites a project head that the project never had',
    holds: 'a member’s key',
    forge: (golden) => citing(golden, { ...headOf(golden.project.at('cut')), root: '55'.repeat(32) }),
    ...everywhere(refused('project_head_unknown')),
  },
  {
    name: 'project-head-inside-a-transaction',
    does: 'cites a project size at which no project transaction ends',
    holds: 'a member’s key',
    forge: (golden) => citing(golden, { ...headOf(golden.project.tip), size: golden.project.tip.size - 1 }),
    ...everywhere(refused('project_head_unknown')),
  },
  {
    name: 'project-head-older',
    does: 'cites an older project head, where its key or roster was still good',
    holds: 'a member’s key',
    forge: (golden) => citing(golden, headOf(golden.project.at('registered'))),
    ...everywhere(refused('project_head_decreased')),
  },
  {
    name: 'project-head-of-another-history',
    does: 'cites a project head of the same size with another root',
    holds: 'a member’s key',
    forge: (golden) => citing(golden, { ...headOf(golden.project.at('rotated')), root: '66'.repeat(32) }),
    ...everywhere(refused('project_head_decreased')),
  },
  {
    name: 'roster-not-adopted',
    does: 'cites a project head with a newer roster without taking the roster over',
    holds: 'a member’s key',
    forge: ({ bench, gpg, project }) => {
      const lie = { events: [note(KEY.sam, MISSION_ID.gpg, 9000)], project: headOf(project.at('rotated')) };
      return forgedOn(bench, 'gpg', gpg.tip, KEY.sam, lie);
    },
    ...everywhere(refused('roster_not_adopted')),
  },
  {
    name: 'project-head-missing',
    does: 'cites no project head at all',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const message = (text: string): string => text.replace(/Ledger-Project: .*\n/, '');
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: [note(KEY.sam, M, 9000)], message });
    },
    ...everywhere(refused('project_head_missing')),
  },
  {
    name: 'project-head-in-the-project',
    does: 'cites a project head in the project ledger itself',
    holds: 'a member’s key',
    forge: ({ bench, project }) => {
      const payload = { claims: [], genesis: 'ab'.repeat(20), mission_id: MISSION_ID.gpg };
      const events = [said('mission.registered', payload, KEY.gus, { entity: MISSION_ID.gpg })];
      const message = (text: string): string => `${text}Ledger-Project: 1 ${'00'.repeat(32)} ${'00'.repeat(20)}\n`;
      return forgedOn(bench, 'project', project.tip, KEY.gus, { events, message });
    },
    ...everywhere(refused('project_head_misplaced')),
  },
];

function onLong({ bench, long }: Golden, key: TestKey, events: readonly Event[]): Forgery {
  return forgedOn(bench, 'long', long.at('base'), key, { events });
}

function citing({ bench, long }: Golden, project: ReturnType<typeof headOf>): Forgery {
  const good: Tip = long.at('base');
  return forgedOn(bench, 'long', good, KEY.sam, { events: [note(KEY.sam, M, 9000)], project });
}
