// Attacks on which ledger this is: one ledger's commits or head are shown as another's, or a project as somebody else's.
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../../../../src/ledger/tip.ts';
import type { Event } from '../../../../src/kernel/event.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { KEY, PROJECT_ID } from '../../../support/forge/cast.ts';
import { movedTo } from '../../../support/forge/edit.ts';
import {
  everywhere,
  forgedOn,
  on,
  refused,
  type Attack,
  type Expected,
  type Forgery,
} from '../../../support/forge/attack.ts';
import { note, opened, said } from '../../../support/forge/facts.ts';
import { MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import { uuid } from '../../../support/events.ts';
import { member, roster } from '../../../support/people.ts';

const NAMES_ITSELF: Expected = {
  is: 'harmless',
  why: 'a bundle says itself which ledger it is of; there is no branch to be mistaken about',
};
const ANOTHER_GENESIS: Expected = { is: 'stopped', code: 'genesis_mismatch' };

export const IDENTITY: readonly Attack[] = [
  {
    name: 'ledger-id-wrong',
    does: 'signs a transaction that claims to belong to another ledger',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const claims = (honest: Claims): Claims => ({ ...honest, ledgerId: MISSION_ID.gpg });
      const events = [note(KEY.sam, MISSION_ID.long, 9000)];
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events, claims });
    },
    ...everywhere(refused('ledger_id_mismatch')),
  },
  {
    name: 'commit-transplanted',
    does: 'hangs a commit of one mission onto the head of another',
    holds: 'nothing',
    forge: ({ bench, long, gpg }) => on('long', long.at('base'), movedTo(bench, gpg.tip.oid!, long.at('base').oid!)),
    ...everywhere(refused('ledger_id_mismatch')),
    bundle: refused('ledger_id_mismatch', -268),
  },
  {
    name: 'mission-under-another-name',
    does: 'points the branch of one mission at the head of another',
    holds: 'nothing',
    forge: ({ sealed, gpg }) => on('gpg', gpg.tip, sealed.at('written')),
    ...everywhere(refused('ledger_id_mismatch')),
    bundle: NAMES_ITSELF,
  },
  {
    name: 'project-under-a-mission-name',
    does: 'points the branch of a mission at the head of the project ledger',
    holds: 'nothing',
    forge: ({ gpg, project }) => on('gpg', gpg.tip, project.tip),
    ...everywhere(refused('ledger_id_mismatch', 6)),
    bundle: NAMES_ITSELF,
  },
  {
    name: 'mission-under-the-project-name',
    does: 'points the branch of the project at the head of a mission',
    holds: 'nothing',
    forge: ({ gpg, project }) => on('project', project.at('opened'), gpg.tip),
    ...everywhere(refused('ledger_id_mismatch')),
    bundle: NAMES_ITSELF,
  },
  {
    name: 'project-begun-anew',
    does: 'replaces the project ledger by one with the same id and a roster of its own',
    holds: 'nothing',
    forge: (golden) => on('project', golden.project.tip, strangersProject(golden)),
    full: refused('genesis_mismatch', -9),
    sincePin: refused('fork_detected', -8),
    bundle: ANOTHER_GENESIS,
  },
  {
    name: 'mission-of-a-strangers-project',
    does: 'replaces a mission by one with the same id that grows from a project of its own',
    holds: 'nothing',
    forge: (golden) => {
      const start = emptyMission(nodeCrypto, strangersProject(golden));
      const head = golden.bench.honest(start, KEY.mallory, [opened(KEY.mallory, MISSION_ID.gpg, start.parent!.head)]);
      return on('gpg', golden.gpg.tip, head);
    },
    ...everywhere(refused('project_head_unknown', -3)),
    bundle: ANOTHER_GENESIS,
  },
  {
    name: 'mission-without-a-project',
    does: 'begins a mission with a commit that has no parent',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { parents: [] }),
    ...everywhere(refused('project_head_misplaced', 0, 'project')),
    bundle: refused('commit_parents'),
  },
  {
    name: 'mission-grown-from-a-mission',
    does: 'begins a mission on the head of another mission',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { parents: [golden.sealed.at('written').oid!] }),
    ...everywhere(refused('ledger_id_mismatch', 3)),
    bundle: refused('commit_reparented'),
  },
  {
    name: 'mission-names-another-parent',
    does: 'begins a mission on one project head and names an older one',
    holds: 'a member’s key',
    forge: (golden) => {
      const events = [opened(KEY.gus, MISSION_ID.gpg, golden.project.at('opened'))];
      return genesis(golden, { events, from: golden.project.at('halted') });
    },
    ...everywhere(refused('mission_parent_mismatch')),
  },
  {
    name: 'mission-cites-past-its-parent',
    does: 'begins a mission on one project head and cites a newer one',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { project: golden.project.at('halted') }),
    ...everywhere(refused('project_head_decreased')),
  },
  {
    name: 'mission-of-another-project',
    does: 'begins a mission that names another project than the one it grows from',
    holds: 'a member’s key',
    forge: (golden) => {
      const event = opened(KEY.gus, MISSION_ID.gpg, golden.project.at('opened'));
      return genesis(golden, { events: [{ ...event, payload: { ...event.payload, project_id: uuid('elsewhere') } }] });
    },
    ...everywhere(refused('mission_other_project')),
  },
  {
    name: 'mission-goes-on-from-itself',
    does: 'begins a mission that names itself as the one that it goes on from',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { events: [goingOnFrom(golden, MISSION_ID.gpg)] }),
    ...everywhere(refused('cause_misplaced')),
  },
  {
    name: 'mission-goes-on-from-its-project',
    does: 'begins a mission that names its project as what it goes on from',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { events: [goingOnFrom(golden, PROJECT_ID)] }),
    ...everywhere(refused('cause_misplaced')),
  },
  {
    name: 'mission-in-a-halted-project',
    does: 'begins a mission while the project is halted',
    holds: 'a member’s key',
    forge: (golden) => {
      const from = golden.bench.honest(golden.project.at('opened'), KEY.ana, [said('halt.declared', {}, KEY.ana)]);
      return genesis(golden, { from, events: [opened(KEY.gus, MISSION_ID.gpg, from)] });
    },
    ...everywhere(refused('project_halted')),
    bundle: refused('project_head_unknown', 1, 'project'),
  },
  {
    name: 'mission-begins-with-a-note',
    does: 'begins a mission with an event that does not open it',
    holds: 'a member’s key',
    forge: (golden) => genesis(golden, { events: [note(KEY.gus, MISSION_ID.gpg, 0)] }),
    ...everywhere(refused('ledger_not_opened')),
  },
];

function goingOnFrom({ project }: Golden, ledger_id: string): Event {
  const event = opened(KEY.gus, MISSION_ID.gpg, project.at('opened'));
  return { ...event, cause: { index: 0, leaf: 'ca'.repeat(32), ledger_id } };
}

type Beginning = {
  readonly from?: Tip;
  readonly project?: Tip;
  readonly parents?: readonly string[];
  readonly events?: readonly Event[];
};

/** A forged first commit of the small mission; nobody can have a pin of it yet. */
function genesis(
  { bench, project, gpg }: Golden,
  { from = project.at('opened'), project: cited, parents, events }: Beginning,
): Forgery {
  const start = emptyMission(nodeCrypto, from);
  const head = bench.forged(start, KEY.gus, {
    events: events ?? [opened(KEY.gus, MISSION_ID.gpg, from)],
    state: { ...gpg.at('opened').state! },
    ...(parents && { parents }),
    ...(cited && { project: headOf(cited) }),
  });
  return { ...on('gpg', gpg.at('opened'), head), pin: 'none', from: 0 };
}

function strangersProject({ bench }: Golden): Tip {
  const own = roster(PROJECT_ID, [member(KEY.mallory)]);
  const start = emptyProject(nodeCrypto);
  return bench.honest(start, KEY.mallory, [said('project.opened', { roster: own }, KEY.mallory)]);
}
