// Appending to a long remote ledger without a clone, beside what the first append of a machine costs, which fetches and
// verifies everything, and a plain git clone.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { appendCold as append, type ColdSubmission } from '../../../src/app/cold/append-cold.ts';
import type { Way } from '../../../src/app/cold/cold-world.ts';
import { openCold } from '../../../src/compose/cold.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { git } from '../../support/repos.ts';
import { wireTo, type Wire } from '../../support/wire.ts';
import type { Bench } from '../bench.ts';
import { ana, notes } from '../inputs/ledger.ts';
import { startServer } from '../inputs/served.ts';
import { inRounds, median, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const appendCold: Row = { name: 'remote append, cold', run };

/** Per round; the median of them counts. */
const APPENDS = 3;

async function run(bench: Bench): Promise<readonly Line[]> {
  const { rounds, commits } = bench.sizes;
  const server = await startServer(bench, 'cold');
  bench.say(`pushing ${commits} commits of 10`);
  const { url, ledger: base } = await server.grow({ commits, eventsEach: 10 });
  const wire = await wireTo(new URL(url).origin);
  bench.atEnd(() => wire.close());
  const machine = { ref: base.ref, state: bench.path('cold-state') };
  const direct = { ...machine, url };
  const relayed = { ...machine, state: `${machine.state}-relayed`, url: wire.origin + new URL(url).pathname };
  bench.say('appending without a clone');
  const firstMs = await timedMs(() => appended(direct, adding(0), 'whole'));
  const clone = bench.path('cold-clone');
  const cloneMs = await timedMs(() => git('.', ['clone', '--quiet', '--bare', url, clone]));
  await rm(clone, { recursive: true });
  let i = 1;
  const took = await inRounds(rounds, {
    pinned: () => medianOf(() => appended(direct, adding(i++), 'pinned')),
    sincePin: () => medianOf(() => appended(direct, deciding(), 'since_pin')),
  });
  await appended(relayed, adding(i++), 'whole');
  const pinned = await relayedKb(wire, () => appended(relayed, adding(i++), 'pinned'));
  const sincePin = await relayedKb(wire, () => appended(relayed, deciding(), 'since_pin'));
  const beside = `onto ${base.events} events; first append of a machine ${firstMs.toFixed(0)} ms, git clone ${cloneMs.toFixed(0)} ms`;
  const both = 'both directions, headers and push included';
  return [
    { what: 'no decision needed', unit: 'ms', values: took.pinned, budget: { atMost: 200 }, beside },
    { what: 'no decision needed, on the wire', unit: 'KB', values: [pinned], budget: { atMost: 30 }, beside: both },
    { what: 'with a sealed snapshot', unit: 'ms', values: took.sincePin, budget: { atMost: 400 }, beside },
    {
      what: 'with a sealed snapshot, on the wire',
      unit: 'KB',
      values: [sincePin],
      budget: { atMost: 200 },
      beside: both,
    },
  ];
}

async function medianOf(work: () => Promise<void>): Promise<number> {
  const each: number[] = [];
  for (let i = 0; i < APPENDS; i++) each.push(await timedMs(work));
  return median(each);
}

async function relayedKb(wire: Wire, work: () => Promise<void>): Promise<number> {
  wire.take();
  await work();
  return wire.take() / 1000;
}

type Machine = { readonly ref: string; readonly state: string; readonly url: string };
type Asked = Pick<ColdSubmission, 'decide' | 'adding'>;

/** One append as a process of its own would do it, from opening to closing. */
async function appended({ ref, state, url }: Machine, asked: Asked, way: Way): Promise<void> {
  const env = { ...process.env, XDG_STATE_HOME: state };
  const world = await openCold({ cwd: '/', env, signal: new AbortController().signal }, url);
  try {
    const verdict = await append(world, ref, { ...asked, signer: () => Promise.resolve(ana) });
    if (verdict.is === 'refused') throw new Error(`refused: ${verdict.code} ${JSON.stringify(verdict.facts)}`);
    if (verdict.value.way !== way && !crosses(verdict.value.from)) throw new Error(`went ${verdict.value.way}`);
  } finally {
    await world.close();
  }
}

/** The note that fills a segment needs the whole state: one of 256. */
function crosses(from: number): boolean {
  return from % 256 === 255;
}

function adding(i: number): Asked {
  return { decide: notes(i, 1).decide, adding: 1 };
}

function deciding(): Asked {
  const id = randomUUID();
  const about = { entity_type: 'task', entity_id: id, task_id: id } as const;
  return { decide: () => accept([{ event_type: 'task.created', payload: { contract: null }, ...about }]) };
}
