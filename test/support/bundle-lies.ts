// Forged proof bundles by members and strangers, who sign what no rule allows and build every hash around it with care.
import { utf8 } from '../../src/format/bytes.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { parseCommit } from '../../src/format/git/commit.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import type { Attack } from './bundle-attacks.ts';
import {
  ana,
  ben,
  bundleOf,
  eve,
  grewFrom,
  missionEvent,
  MISSION,
  noteBy,
  PROJECT,
  stranger,
  world,
  type Lies,
  type World,
  type Writer,
} from './bundles.ts';
import { uuid } from './events.ts';
import { bytesOf } from './given.ts';
import { member, roster, agreed, nextRoster, type TestKey } from './people.ts';

/** What members and strangers with keys can sign. */
export function lies(): Attack[] {
  const lie = (
    name: string,
    refusedFor: ReasonCode,
    by: TestKey,
    blobs: readonly Uint8Array[],
    told: Told = {},
  ): Attack => ({ name, refusedFor, bytes: liedAbout(world(), by, blobs, told) });
  const note = [bytesOf(noteBy(ben, 50))];
  const noteOf = (by: TestKey) => [bytesOf(noteBy(by, 51))];
  const { mission, project, roster1 } = world();
  const cited = mission.tip.project!;
  const below = nextRoster(roster1, { members: [member(ana), member(ben), member(stranger)] });
  const adoption = (next: typeof below, by: readonly TestKey[]) => [
    bytesOf(missionEvent('roster.adopted', { ...agreed(by, 'roster', next), from: project.newest() }, PROJECT)),
  ];
  const other = roster(uuid('other project'), [member(ana), member(ben)], { threshold: 2, n: 2 });
  return [
    lie('signed by a stranger', 'signer_unknown', stranger, noteOf(stranger)),
    lie('signed by a stranger in a member’s name', 'signature_issuer_wrong', ben, note, { signedBy: stranger }),
    lie('signed by another member in a member’s name', 'signature_issuer_wrong', ben, note, { signedBy: ana }),
    lie('signed by a member whose time is over', 'signer_outside_validity', eve, noteOf(eve)),
    lie('looks back at an older project head', 'project_head_decreased', eve, noteOf(eve), {
      claims: { project: (mission.tip.state as MissionState).grew_from },
    }),
    lie('cites the project head under another root', 'project_head_decreased', ben, note, {
      claims: { project: { ...cited, root: 'ab'.repeat(32) } },
    }),
    lie('claims another root', 'consistency_invalid', ben, note, { claims: { root: 'ab'.repeat(32) } }),
    lie('claims another past', 'prev_root_mismatch', ben, note, { claims: { prevRoot: 'ab'.repeat(32) } }),
    lie('claims another ledger', 'ledger_id_mismatch', ben, note, { claims: { ledgerId: uuid('another') } }),
    lie('claims another roster', 'roster_mismatch', ben, note, {
      claims: { roster: { n: 1, digest: 'ab'.repeat(32) } },
    }),
    lie('claims an older roster', 'roster_mismatch', ben, note, {
      claims: { roster: { n: 0, digest: 'ab'.repeat(32) } },
    }),
    lie('claims a repair that it is not', 'commit_reparented', ben, note, {
      claims: { repairs: { validHead: 'ab'.repeat(20), foreign: 1 } },
    }),
    lie('claims to repair what it continues', 'repair_mismatch', ben, note, {
      claims: { repairs: { validHead: mission.tip.oid!, foreign: 1 } },
    }),
    lie('hangs on another commit', 'commit_reparented', ben, note, { fields: { parents: ['ab'.repeat(20)] } }),
    lie('hangs on two commits', 'commit_parents', ben, note, {
      fields: { parents: [mission.tip.oid!, 'ab'.repeat(20)] },
    }),
    lie('is signed by one member and authored as another', 'author_mismatch', ben, note, {
      fields: { author: { name: 'ana', email: `${ben.fingerprint}@lazarus.invalid`, atSeconds: 1 } },
    }),
    lie('says in its first line what it does not hold', 'subject_mismatch', ben, note, {
      said: ['task.completed'],
    }),
    lie('repeats a transaction', 'transaction_duplicate', ben, note, {
      claims: { tx: openingTransaction(mission) },
    }),
    lie('speaks for somebody else', 'actor_mismatch', eve, [bytesOf(noteBy(ana, 52))], EARLY),
    lie(
      'is of a type that no runner may sign',
      'role_not_allowed',
      eve,
      [bytesOf(missionEvent('task.created', { contract: null }, MISSION, eve))],
      EARLY,
    ),
    lie('is of a type for project ledgers', 'event_type_misplaced', ana, [
      bytesOf(missionEvent('halt.declared', {}, PROJECT)),
    ]),
    lie('is of a type nobody knows', 'event_type_unknown', ben, [utf8('{"event_type":"mission.blessed"}\n')]),
    lie('is of a later version', 'event_version_newer', ben, [
      utf8('{"event_type":"note.recorded","schema_version":2}\n'),
    ]),
    lie('lacks fields', 'event_malformed', ben, [utf8('{"event_type":"note.recorded","schema_version":1}\n')]),
    lie('has a key twice', 'event_not_canonical', ben, [
      utf8('{"event_type":"note.recorded","event_type":"note.recorded"}\n'),
    ]),
    lie('has a fraction', 'event_not_integer', ben, [
      utf8(new TextDecoder().decode(bytesOf(noteBy(ben, 53))).replace('"bytes":53', '"bytes":5.3')),
    ]),
    lie('opens the mission again', 'event_out_of_place', ana, [mission.transactions[0]!.events[0]!.bytes]),
    lie('adopts a roster that one root signed', 'threshold_not_met', ana, adoption(below, [ana])),
    lie('adopts a roster that a stranger signed', 'threshold_signer_not_root', ana, adoption(below, [ana, stranger])),
    lie('adopts a roster again', 'roster_replayed', ana, adoption(roster1, [ana, ben])),
    lie('adopts the roster of another project', 'roster_other_project', ana, adoption(other, [ana, ben])),
    goesOnAfterItsEnd(),
  ];
}

type Told = Lies & {
  /** Before eve was taken off the roster. */
  readonly early?: boolean;
};

const EARLY: Told = { early: true };
const EARLY_TRANSACTIONS = 7;

/** The lie is the newest transaction, and what it says is what the bundle claims. */
function liedAbout({ mission, project }: World, by: TestKey, blobs: readonly Uint8Array[], told: Told): Uint8Array {
  if (told.early === true) mission.rewindTo(EARLY_TRANSACTIONS);
  const index = mission.tip.size;
  mission.lie(by, blobs, told);
  const ledger = mission.extracts([index, index - 1]);
  return bundleOf({ claim: { is: 'event', index }, ledger, project: grewFrom(project) });
}

function goesOnAfterItsEnd(): Attack {
  const own = world();
  const seal = { ledger_id: MISSION, roster: rosterDigest(nodeCrypto, own.roster1) };
  own.mission.say(ana, [missionEvent('ledger.sealed', agreed([ana, ben], 'seal', seal))]);
  const bytes = liedAbout(own, ben, [bytesOf(noteBy(ben, 60))], {});
  return { name: 'goes on after its end', refusedFor: 'ledger_sealed', bytes };
}

function openingTransaction({ transactions }: Writer): string {
  const { message } = parseCommit(transactions[0]!.commit);
  return /Ledger-Tx: (.*)/.exec(message)![1]!;
}
