// Attacks around the one way past garbage: tails that nobody repaired, and repairs that would discard what is good,
// name other commits, lack the roots' word, or hide.
import type { ReasonCode } from '../../../../src/reasons.ts';
import { headOf, type Tip } from '../../../../src/ledger/tip.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { signedBy, type TestKey } from '../../../support/people.ts';
import { KEY } from '../../../support/forge/cast.ts';
import {
  everywhere,
  forgedOn,
  on,
  refused,
  type Attack,
  type Expected,
  type Holds,
} from '../../../support/forge/attack.ts';
import { note, repair, said } from '../../../support/forge/facts.ts';
import { garbageOn, MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import type { Lie, Workshop } from '../../../support/forge/workshop.ts';

const M = MISSION_ID.long;
const BOTH = [KEY.ana, KEY.ben] as const;

const NOT_SHOWN: Expected = { is: 'not_visible', why: 'a proof does not show what a repair left behind' };

export const REPAIR: readonly Attack[] = [
  {
    name: 'garbage-tail',
    does: 'pushes a commit that is no transaction onto the ledger, by fast-forward',
    holds: 'nothing',
    forge: ({ bench, long }) => on('long', long.at('base'), garbageOn(bench, long.at('base').oid!, 1)),
    ...everywhere(refused('commit_unsigned')),
  },
  {
    name: 'garbage-below-a-transaction',
    does: 'goes on behind garbage as if it were not there',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const parents = [garbageOn(bench, long.at('base').oid!, 1)];
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: [note(KEY.sam, M, 9000)], parents });
    },
    ...everywhere(refused('commit_unsigned')),
    bundle: refused('commit_reparented'),
  },
  discards(
    'repair-of-a-valid-commit',
    'repairs away a good transaction with garbage behind it',
    (bench, good) => garbageOn(bench, valid(bench, good), 1),
    2,
  ),
  discards(
    'repair-of-a-valid-commit-behind-a-merge',
    'merges a good transaction into garbage and repairs both away',
    (bench, good) => {
      const [left, right] = [garbageOn(bench, good.oid!, 1), valid(bench, good)];
      return bench.forged(good, KEY.mallory, { parents: [left, right], signature: () => undefined }).oid!;
    },
    3,
  ),
  discards(
    'repair-of-a-newer-format',
    'repairs a transaction away that only newer readers understand',
    (bench, good) =>
      bench.forged(good, KEY.sam, {
        events: [note(KEY.sam, M, 9000)],
        message: (text) => text.replace('Ledger-Format: 1', 'Ledger-Format: 2'),
      }).oid!,
    1,
  ),
  discards(
    'repair-of-a-newer-event',
    'repairs an event away that only newer readers understand',
    (bench, good) =>
      bench.forged(good, KEY.sam, {
        events: [note(KEY.sam, M, 9000)],
        blobs: [Buffer.from('{"event_type":"note.annulled"}\n')],
      }).oid!,
    1,
  ),
  {
    name: 'repair-from-an-older-head',
    does: 'repairs garbage away and the last good transaction with it',
    holds: 'the roots’ keys',
    forge: ({ bench, long }) => {
      const [good, base] = [long.at('second'), long.at('base')];
      const words = { foreignTip: garbageOn(bench, base.oid!, 1), foreignCount: 2 };
      return { ...on('long', base, bench.honest(good, KEY.ana, [repair(KEY.ana, good, words)])), from: good.size };
    },
    ...everywhere(refused('repair_of_valid')),
    bundle: NOT_SHOWN,
  },
  repaired('repair-below-the-threshold', 'repairs with one of two roots', 'threshold_not_met', { roots: [KEY.ana] }),
  repaired('repair-by-one-person-twice', 'repairs with both keys of one root', 'threshold_not_met', {
    roots: [KEY.ana, KEY.anaSecond],
  }),
  repaired('repair-by-a-member', 'repairs with the roots’ signatures, without being root', 'role_not_allowed', {
    by: KEY.sam,
  }),
  repaired('repair-names-too-few', 'names one foreign commit where there are two', 'repair_mismatch', {
    count: 1,
    bundle: NOT_SHOWN,
  }),
  repaired('repair-names-too-many', 'names three foreign commits where there are two', 'repair_mismatch', {
    count: 3,
    bundle: NOT_SHOWN,
  }),
  repaired('repair-names-another-tip', 'names another foreign tip than the one it stands on', 'repair_mismatch', {
    tip: 'ab'.repeat(20),
  }),
  repaired(
    'repair-trailer-counts-otherwise',
    'names another count in the commit than in the event',
    'repair_mismatch',
    {
      lie: { claims: (honest) => ({ ...honest, repairs: { validHead: honest.repairs!.validHead, foreign: 7 } }) },
    },
  ),
  repaired('repair-without-its-trailer', 'leaves out of the commit that it is a repair', 'commit_unsigned', {
    lie: { message: (text) => text.replace(/Ledger-Repairs: .*\n/, '') },
    bundle: refused('commit_reparented'),
  }),
  repaired(
    'repair-without-its-event',
    'claims in the commit to be a repair, and only records a note',
    'repair_mismatch',
    {
      lie: { events: [note(KEY.ana, M, 9000)] },
    },
  ),
  {
    name: 'repair-among-other-events',
    does: 'hides the repair behind a note in the same transaction',
    holds: 'the roots’ keys',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      const tip = garbageOn(bench, good.oid!, 2);
      const events = [note(KEY.ana, M, 9000), repair(KEY.ana, good, { foreignTip: tip, foreignCount: 2 })];
      return forgedOn(bench, 'long', good, KEY.ana, { events, parents: [tip], claims: naming(good, 2) });
    },
    ...everywhere(refused('repair_not_alone')),
  },
  {
    name: 'repair-of-nothing',
    does: 'repairs a ledger without garbage',
    holds: 'the roots’ keys',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      return on(
        'long',
        good,
        bench.honest(good, KEY.ana, [repair(KEY.ana, good, { foreignTip: good.oid!, foreignCount: 1 })]),
      );
    },
    ...everywhere(refused('repair_mismatch')),
    bundle: NOT_SHOWN,
  },
  {
    name: 'repair-of-another-ledger',
    does: 'presents a repair that the roots signed for another mission',
    holds: 'one root’s key',
    forge: ({ bench, long, repaired: other }) => {
      const good = long.at('base');
      const foreignTip = garbageOn(bench, good.oid!, 2);
      const event = repair(KEY.ana, other.at('valid'), { foreignTip, foreignCount: 2 });
      const events = [{ ...event, task_id: M, entity_id: M }];
      return forgedOn(bench, 'long', good, KEY.ana, { events, parents: [foreignTip], claims: naming(good, 2) });
    },
    ...everywhere(refused('statement_stale')),
    bundle: refused('repair_wrong_head'),
  },
  {
    name: 'repair-names-another-head',
    does: 'goes on from the valid head, and has the roots sign another one',
    holds: 'the roots’ keys',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      const foreignTip = garbageOn(bench, good.oid!, 2);
      const { repair: document } = repair(KEY.ana, good, { foreignTip, foreignCount: 2 }).payload;
      const named = { ...document, valid_head: headOf(long.at('second')) };
      const events = [
        said('ledger.repaired', { repair: named, signatures: signedBy(BOTH, 'repair', named) }, KEY.ana, { task: M }),
      ];
      return forgedOn(bench, 'long', good, KEY.ana, { events, parents: [foreignTip], claims: naming(good, 2) });
    },
    ...everywhere(refused('repair_wrong_head')),
  },
];

/** The roots themselves, or whoever has their keys, try to discard what verifies or might. */
function discards(
  name: string,
  does: string,
  tail: (bench: Workshop, good: Tip) => string,
  foreignCount: number,
): Attack {
  return {
    name,
    does,
    holds: 'the roots’ keys',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      const event = repair(KEY.ana, good, { foreignTip: tail(bench, good), foreignCount });
      return on('long', good, bench.honest(good, KEY.ana, [event]));
    },
    ...everywhere(refused('repair_of_valid')),
    bundle: NOT_SHOWN,
  };
}

type Wrong = { by?: TestKey; roots?: readonly TestKey[]; count?: number; tip?: string; lie?: Lie; bundle?: Expected };

/** A repair of two garbage commits that is wrong in one thing. */
function repaired(name: string, does: string, code: ReasonCode, wrong: Wrong): Attack {
  const holds: Holds =
    wrong.by !== undefined ? 'a member’s key' : code === 'threshold_not_met' ? 'one root’s key' : 'the roots’ keys';
  const forge = ({ bench, long }: Golden) => {
    const good = long.at('base');
    const { by = KEY.ana, roots = BOTH, count = 2 } = wrong;
    const garbage = garbageOn(bench, good.oid!, 2);
    const events = [repair(by, good, { foreignTip: wrong.tip ?? garbage, foreignCount: count }, roots)];
    const named = naming(good, count);
    const claims = (honest: Claims): Claims => wrong.lie?.claims?.(named(honest)) ?? named(honest);
    return forgedOn(bench, 'long', good, by, { events, parents: [garbage], ...wrong.lie, claims });
  };
  return { name, does, holds, forge, ...everywhere(refused(code)), bundle: wrong.bundle ?? refused(code) };
}

function naming(validHead: Tip, foreign: number): (honest: Claims) => Claims {
  return (honest) => ({ ...honest, repairs: { validHead: validHead.oid!, foreign } });
}

function valid(bench: Workshop, good: Tip): string {
  return bench.honest(good, KEY.sam, [note(KEY.sam, M, 9000)]).oid!;
}
