// The project that the mission of a walk grows out of, as real commits: opened, the mission registered with its paths, and
// then one roster after the other.
import { hex } from '../../src/format/bytes.ts';
import type { Oid } from '../../src/format/git/object.ts';
import { leafHash } from '../../src/format/merkle.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import { rosterDigest, type Roster } from '../../src/kernel/roster/roster.ts';
import { emptyProject, type Tip } from '../../src/ledger/tip.ts';
import { event } from '../support/events.ts';
import { Workshop } from '../support/forge/workshop.ts';
import { bytesOf } from '../support/given.ts';
import { CLAIMS, KEYS, MISSION, PROJECT, SUCCESSIONS, type Name, type Succession } from './cast.ts';
import { agreed } from '../support/people.ts';

export type Foundation = {
  readonly bench: Workshop;
  /** The project's rosters, by number. */
  readonly rosters: readonly Roster[];
  /** Where the mission grows from. */
  readonly opened: Tip;
  /** Under each roster, by number, with the mission registered. */
  readonly tips: readonly Tip[];
  /** How a mission takes each roster over; for the first one nothing. */
  readonly adoptions: readonly (EventOf<'roster.adopted'>['payload'] | undefined)[];
  /** What would end the mission’s ledger, under each roster, signed by one root, by the other and by both. */
  readonly seals: readonly EventOf<'ledger.sealed'>['payload'][];
};

/** `begin`: writes the first commit of the mission, which the project then knows it by. */
export function foundation(
  succession: Succession | readonly Roster[],
  begin: Begin = () => 'ab'.repeat(20),
): Foundation {
  const [first, ...later] = typeof succession === 'string' ? SUCCESSIONS[succession] : succession;
  const rosters = [first!, ...later];
  const bench = new Workshop();
  const opened = bench.honest(emptyProject(nodeCrypto), KEYS.ro, [
    event('project.opened', { roster: first! }, BY_ROOT),
  ]);
  const registered = event(
    'mission.registered',
    { claims: [...CLAIMS], genesis: begin(bench, opened), mission_id: MISSION },
    { actor_id: 'gil', actor_type: 'service', entity_id: MISSION, task_id: PROJECT },
  );
  const tips = [bench.honest(opened, KEYS.gil, [registered])];
  const adoptions: Foundation['adoptions'][number][] = [undefined];
  for (const roster of later) {
    const update = agreed([KEYS.ro, KEYS.ru], 'roster', roster);
    const before = tips.at(-1)!;
    const caused = bench.caused(before, [event('roster.updated', update, BY_ROOT)])[0]!;
    const from = { index: before.size, leaf: hex(leafHash(nodeCrypto, bytesOf(caused))) };
    adoptions.push({ from, ...update });
    tips.push(bench.honest(before, KEYS.ro, [caused]));
  }
  return { bench, rosters, opened, tips, adoptions, seals: rosters.flatMap(sealsUnder) };
}

type Begin = (bench: Workshop, opened: Tip) => Oid;

const BY_ROOT = { actor_id: 'ro', entity_id: PROJECT, task_id: PROJECT } as const;

const founded = new Map<Succession, Foundation>();

/** The same one again, for walks that write nothing into it. */
export function founding(succession: Succession): Foundation {
  const known = founded.get(succession) ?? foundation(succession);
  founded.set(succession, known);
  return known;
}

const SIGNERS: readonly (readonly Name[])[] = [['ro'], ['ru'], ['ro', 'ru']];

function sealsUnder(roster: Roster): EventOf<'ledger.sealed'>['payload'][] {
  const seal = { ledger_id: MISSION, roster: rosterDigest(nodeCrypto, roster) };
  return SIGNERS.map((names) =>
    agreed(
      names.map((name) => KEYS[name]),
      'seal',
      seal,
    ),
  );
}
