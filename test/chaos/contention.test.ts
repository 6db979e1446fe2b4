// Eight processes that append to one ledger at once, 200 times in all: none lost, none doubled, every one that was
// acknowledged present where it was said to be, and the whole verifies from a fresh clone.
import { expect, it } from 'vitest';
import { desk, begin } from '../support/desk.ts';
import { scratchRepository } from '../support/repos.ts';
import { startingLine } from '../adapters/git/appending.ts';
import { eventsIn, expectWhole, shared } from './ledgers.ts';
import { numbered, work, type Worked } from './workers.ts';

const PROCESSES = 8;
const APPENDS_EACH = 25;
/** Every process numbers its notes from its own thousand. */
const APART = 1000;

async function race(one: (i: number) => { folder: string; remote?: string }, ref: string): Promise<Worked[]> {
  const start = startingLine(PROCESSES);
  return Promise.all(
    Array.from({ length: PROCESSES }, (_, i) => {
      const { folder, ...at } = one(i);
      const appends = numbered(APPENDS_EACH, i * APART);
      return work(folder, { key: i % 2 === 0 ? 'ana' : 'ben', ref, appends, waits: true, ...at }, { start });
    }),
  );
}

/** What each process was told, against what the ledger says. */
async function expectAllThere(outcomes: readonly Worked[], origin: string, ref: string): Promise<void> {
  expect(outcomes.flatMap(({ failed, refused }) => [...failed, ...refused])).toEqual([]);
  const perProcess = outcomes.map(({ landed }) => landed.length);
  expect(perProcess).toEqual(Array.from({ length: PROCESSES }, () => APPENDS_EACH));
  const attempts = outcomes.map(({ landed }) => landed.reduce((sum, one) => sum + one.attempts, 0));
  console.log(`appends per process: ${perProcess.join(' ')}; tries they took: ${attempts.join(' ')}`);
  const events = await eventsIn(origin, ref);
  const notes = events.filter(({ type }) => type === 'note.recorded').map(({ bytes }) => bytes!);
  const all = Array.from({ length: PROCESSES }, (_, i) => numbered(APPENDS_EACH, i * APART)).flat();
  expect([...notes].sort((a, b) => a - b)).toEqual(all.map(({ payload }) => payload['bytes']));
  for (const [i, { landed }] of outcomes.entries())
    expect(landed.map(({ from }) => events[from]!.bytes)).toEqual(
      numbered(APPENDS_EACH, i * APART).map((note) => note.payload['bytes']),
    );
  expect(new Set(outcomes.flatMap(({ landed }) => landed.map(({ tx }) => tx))).size).toBe(PROCESSES * APPENDS_EACH);
  await expectWhole(origin, ref);
}

it('one remote over http, a clone for each process', async () => {
  const { url, bare, ref, clone } = await shared();
  await expectAllThere(await race(() => ({ folder: clone(), remote: url }), ref), bare, ref);
}, 240_000);

it('one clone for all of them', async () => {
  const folder = scratchRepository();
  const ref = await begin(await desk({ folder }));
  await expectAllThere(await race(() => ({ folder }), ref), folder, ref);
}, 240_000);
