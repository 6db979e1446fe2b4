// Attacks between the two logs: a mission takes over what its project never had, begins or goes on otherwise than the
// project recorded; and what ends or mends a ledger without enough roots, or over what is good.
import { headOf, emptyMission } from '../../../../src/ledger/tip.ts';
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import type { AdoptedFrom } from '../../../../src/kernel/mission/events.ts';
import { KEY, ROSTER_0, ROSTER_1, PROJECT_ID } from '../../../support/forge/cast.ts';
import {
  everywhere,
  forgedOn,
  on,
  refused,
  type Attack,
  type Expected,
  type Forgery,
} from '../../../support/forge/attack.ts';
import {
  adoptedFrom,
  annotated,
  fromAt,
  note,
  notes,
  opened,
  repair,
  rosterUpdate,
  sealed as sealing,
} from '../../../support/forge/facts.ts';
import { transactionsOf } from '../../../support/forge/course.ts';
import { garbageOn, MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import { member, nextRoster } from '../../../support/people.ts';

const M = MISSION_ID.long;

/** Signed by enough roots, and never applied. */
const DRAFT = nextRoster(ROSTER_0, {
  members: [...ROSTER_1.members, member(KEY.mallory)].sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1)),
});

export const TWO_LOGS: readonly Attack[] = [
  adoption(
    'adoption-of-a-draft',
    'takes over a roster that the roots signed and the project never had',
    ({ project }) => {
      const index = project.at('rotated').size - 1;
      return { index, leaf: fromAt(rosterUpdate(KEY.ana, DRAFT), index).leaf };
    },
  ),
  adoption(
    'adoption-under-anothers-place',
    'takes over such a roster, and names place and leaf hash of the one that the project has',
    ({ project }) => {
      const index = project.at('rotated').size - 1;
      return fromAt(rosterUpdate(KEY.ana, ROSTER_1), index);
    },
  ),
  adoption('adoption-of-no-roster', 'takes over such a roster, and names the place of another event', () =>
    fromAt(rosterUpdate(KEY.ana, DRAFT), 0),
  ),
  adoption(
    'adoption-from-the-future',
    'takes over such a roster, and names a place that the project head it cites does not have',
    ({ project }) => fromAt(rosterUpdate(KEY.ana, DRAFT), project.at('rotated').size),
  ),
  trailer(
    'genesis-of-another-ledger',
    'names another first commit than the ledger’s',
    (_, { cut }) => cut.at('opened').oid!,
  ),
  trailer('genesis-self-again', 'says of a later transaction that it is the first', () => 'self'),
  trailer('genesis-left-out', 'names no first commit', () => undefined),
  {
    name: 'genesis-in-a-project',
    does: 'names a first commit in the project ledger',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const events = [rosterUpdate(KEY.ana, nextRoster(ROSTER_1, {}))];
      const claims = (honest: Claims): Claims => ({ ...honest, genesis: 'self' });
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events, claims });
    },
    ...everywhere(refused('ledger_genesis_mismatch')),
  },
  {
    name: 'genesis-not-registered',
    does: 'begins the mission anew under its id, as if it had never been registered',
    holds: 'a member’s key',
    forge: ({ bench, long, project }) => {
      const from = project.at('halted');
      const head = bench.honest(emptyMission(nodeCrypto, from), KEY.gus, [opened(KEY.gus, M, from)]);
      return { ...on('long', long.at('opened'), head), from: 0 };
    },
    ...everywhere(refused('genesis_not_registered')),
  },
  {
    name: 'run-on-paths-that-nobody-held',
    does: 'runs the agent under a head of the project at which the mission was not registered, as a last voter who claims nothing would have it',
    holds: 'a member’s key',
    forge: ({ bench, course }) => {
      const good = course.at('granted');
      const started = [...transactionsOf('leased'), ...transactionsOf('spawned')];
      const { by } = started[0]!;
      return on(
        'course',
        good,
        bench.honest(
          good,
          by,
          started.flatMap(({ events }) => events),
        ),
      );
    },
    full: refused('claims_missing', 3),
    sincePin: refused('claims_missing', 3),
    bundle: { is: 'not_visible', why: 'what a plan claims takes the events before' },
  },
  {
    name: 'fork-below-a-trusted-head',
    does: 'writes another history up to the size at which a cut-off trusts the ledger',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const { before: good } = bench.made.get(long.at('fourth').oid!)!;
      return on('long', good, bench.honest(good, KEY.rob, notes(KEY.rob, M, 7000, 3)));
    },
    full: refused('fork_detected', 3),
    sincePin: refused('fork_detected', 3),
    bundle: refused('fork_detected'),
  },
  {
    name: 'seal-taken-away',
    does: 'goes on with a sealed mission from before its seal',
    holds: 'a member’s key',
    forge: ({ bench, sealed }) => {
      const good = sealed.at('written');
      return on('sealed', good, bench.honest(good, KEY.sam, [note(KEY.sam, MISSION_ID.sealed, 70)]));
    },
    full: refused('fork_detected', 1),
    sincePin: refused('fork_detected', 1),
    bundle: refused('fork_detected'),
  },
  {
    name: 'seal-not-shown',
    does: 'shows a sealed mission as it was before its seal',
    holds: 'nothing',
    forge: ({ sealed }) => on('sealed', sealed.at('written'), sealed.at('written')),
    full: refused('rollback_detected'),
    sincePin: refused('rollback_detected'),
    bundle: { is: 'not_visible', why: 'a proof may be older than what its checker knows' },
  },
  sealed(
    'seal-below-the-threshold',
    'ends the mission with one of two roots',
    refused('threshold_not_met'),
    (golden) => {
      const good = golden.long.at('base');
      return forgedOn(golden.bench, 'long', good, KEY.ana, { events: [sealing(KEY.ana, good, [KEY.ana])] });
    },
  ),
  sealed('seal-by-one-person-twice', 'ends it with both keys of one root', refused('threshold_not_met'), (golden) => {
    const good = golden.long.at('base');
    const events = [sealing(KEY.ana, good, [KEY.ana, KEY.anaSecond])];
    return forgedOn(golden.bench, 'long', good, KEY.ana, { events });
  }),
  sealed(
    'seal-of-another-ledger',
    'ends it with a seal that was signed for another',
    refused('statement_stale'),
    (golden) => {
      const good = golden.long.at('base');
      const event = sealing(KEY.ana, golden.repaired.tip);
      const events = [{ ...event, task_id: M, entity_id: M }];
      return forgedOn(golden.bench, 'long', good, KEY.ana, { events });
    },
  ),
  sealed(
    'project-sealed-by-one-root',
    'ends the project for good with one of two roots',
    refused('threshold_not_met'),
    (golden) => {
      const { tip } = golden.project;
      const events = [{ ...sealing(KEY.ana, tip, [KEY.ana]), task_id: PROJECT_ID }];
      return forgedOn(golden.bench, 'project', tip, KEY.ana, { events });
    },
  ),
  {
    name: 'repair-of-a-repair',
    does: 'repairs an honest repair away, and all that was written since, by naming the same head again',
    holds: 'the roots’ keys',
    forge: ({ bench, repaired }) => {
      const good = repaired.at('valid');
      const words = { foreignTip: garbageOn(bench, repaired.tip.oid!, 1), foreignCount: 5 };
      const head = bench.honest(good, KEY.ana, [repair(KEY.ana, good, words)]);
      return { ...on('repaired', repaired.tip, head), from: good.size };
    },
    ...everywhere(refused('repair_of_valid')),
    bundle: { is: 'not_visible', why: 'a proof does not show what a repair left behind' },
  },
  {
    name: 'judged-and-shown-as-good',
    does: 'shows a ledger of which the roots rejected events as if nothing had been',
    holds: 'nothing',
    forge: ({ bench, cut }) => {
      const good = cut.at('adopted');
      const [from, until] = [cut.at('trusted').size, cut.at('untrusted').size];
      const event = annotated(KEY.ana, good, KEY.rob.fingerprint, from, until, 'rejected');
      return on('cut', good, bench.honest(good, KEY.ana, [event]));
    },
    ...everywhere({ is: 'distrusted', trust: 'rejected', why: 'the rejected events are named' }),
    bundle: { is: 'not_visible', why: 'the events that were rejected are not among those shown' },
  },
];

/** In a mission that was left behind, citing the newest project head. */
function adoption(name: string, does: string, from: (golden: Golden) => AdoptedFrom): Attack {
  const forge = (golden: Golden): Forgery => {
    const { bench, gpg, project } = golden;
    const events = [adoptedFrom(KEY.sam, MISSION_ID.gpg, rosterUpdate(KEY.ana, DRAFT), from(golden))];
    const cited = { project: headOf(project.at('rotated')) };
    // The mission alone finds nothing wrong with most of them.
    const isLegal = events[0]!.payload.from.index < cited.project.size;
    const head = isLegal
      ? bench.honest(gpg.tip, KEY.sam, events, cited)
      : bench.forged(gpg.tip, KEY.sam, { events, ...cited });
    return on('gpg', gpg.tip, head);
  };
  return { name, does, holds: 'the roots’ keys', forge, ...everywhere(refused('adoption_not_of_project')) };
}

function trailer(
  name: string,
  does: string,
  says: (honest: string | undefined, golden: Golden) => string | undefined,
): Attack {
  const forge = (golden: Golden): Forgery => {
    const good = golden.long.at('base');
    const claims = ({ genesis, ...honest }: Claims): Claims => {
      const said = says(genesis, golden);
      return said === undefined ? honest : { ...honest, genesis: said };
    };
    return forgedOn(golden.bench, 'long', good, KEY.sam, { events: [note(KEY.sam, M, 9000)], claims });
  };
  return { name, does, holds: 'a member’s key', forge, ...everywhere(refused('ledger_genesis_mismatch')) };
}

function sealed(name: string, does: string, expected: Expected, forge: Attack['forge']): Attack {
  return { name, does, holds: 'one root’s key', forge, ...everywhere(expected) };
}
