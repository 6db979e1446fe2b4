// Registering one more mission in a project that has had many: what is over must cost nothing, neither in the state nor in
// the time of the next registration.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { EVENTS_PER_TRANSACTION_MAX } from '../../../src/kernel/limits.ts';
import { emptyProject, headOf, type Tip } from '../../../src/ledger/tip.ts';
import { prepareTransaction } from '../../../src/ledger/transaction.ts';
import { event, T0_SECONDS, uuid } from '../../support/events.ts';
import { member, roster } from '../../support/people.ts';
import type { Bench } from '../bench.ts';
import { ana, PROJECT } from '../inputs/ledger.ts';
import { inRounds, ratios, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const registering: Row = { name: 'registering a mission', run };

/** Registrations per measurement. */
const EACH = 60;

async function run(bench: Bench): Promise<readonly Line[]> {
  const { rounds, missions } = bench.sizes;
  const opened = event('project.opened', { roster: roster(PROJECT, [member(ana)]) }, about(PROJECT));
  const first = await after(emptyProject(nodeCrypto), 'opened', [opened]);
  bench.say(`a project with ${missions} missions that are over`);
  let late = first;
  for (let n = 0; n < missions; n += EVENTS_PER_TRANSACTION_MAX / 2) {
    const some = Array.from({ length: EVENTS_PER_TRANSACTION_MAX / 2 }, (_, i) => life(`${n + i}`, late)).flat();
    late = await after(late, `after ${n}`, some);
  }
  const took = await inRounds(rounds, {
    first: () => registeredMs(first),
    late: () => registeredMs(late),
  });
  return [
    {
      what: `number ${missions} against the first`,
      unit: '×',
      values: ratios(took.late, took.first),
      budget: { atMost: 1.2 },
      beside: `${(took.late.at(-1)! / EACH).toFixed(2)} ms against ${(took.first.at(-1)! / EACH).toFixed(2)} ms, last round, without a disk`,
    },
  ];
}

/** One after the other on the same tip: each is the next registration there. */
async function registeredMs(tip: Tip): Promise<number> {
  return timedMs(async () => {
    for (let i = 0; i < EACH; i++) await after(tip, `one ${i}`, [registration(`one ${i}`)]);
  });
}

/** Registered, and ended. */
function life(name: string, tip: Tip): Event[] {
  const mission_id = uuid(`bench mission ${name}`);
  const released = { after: headOf(tip), because: 'ended' as const, mission_id };
  return [registration(name), event('claims.released', released, because(mission_id))];
}

function registration(name: string): Event {
  const mission_id = uuid(`bench mission ${name}`);
  return event(
    'mission.registered',
    { claims: [`src/${name}/**`], genesis: 'ab'.repeat(20), mission_id },
    because(mission_id),
  );
}

/** By an event of the mission itself. */
function because(mission_id: string) {
  return { ...about(mission_id), cause: { index: 0, leaf: 'ca'.repeat(32), ledger_id: mission_id } };
}

function about(entity_id: string) {
  return { actor_id: ana.principalId, entity_id, task_id: PROJECT };
}

async function after(tip: Tip, tx: string, events: readonly Event[]): Promise<Tip> {
  const atSeconds = T0_SECONDS + tip.size;
  const draft = { tx: uuid(tx), events, fingerprint: ana.fingerprint, atSeconds };
  const prepared = prepareTransaction(nodeCrypto, tip, draft);
  if (prepared.is === 'refused') throw new Error(`${prepared.code} ${JSON.stringify(prepared.facts)}`);
  return prepared.value.finish(await ana.sign(prepared.value.payload, atSeconds)).tip;
}
