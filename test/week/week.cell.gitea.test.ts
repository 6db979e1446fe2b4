// A short week: four people, two runners, and three things that go wrong. The long one is `npm run week`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { WeekLog } from './log.ts';
import { openTown, type Town } from './town.ts';
import { live } from './week.ts';

const SEED = Number(process.env['LAZARUS_WEEK_SEED'] ?? '12');

let town: Town;
let log: WeekLog;
const told: string[] = [];

beforeAll(async () => {
  town = await openTown();
}, 300_000);
afterAll(async () => town?.close());

it(`ends with every issue telling the truth (LAZARUS_WEEK_SEED=${SEED})`, { timeout: 600_000 }, async () => {
  log = await live(
    town,
    {
      seed: SEED,
      stories: ['own_approval', 'straying', 'edited_after', 'held'],
      faults: ['door_slammed', 'status_edited', 'event_lost'],
    },
    (line) => told.push(line),
  );
  const { flaws, ends } = await judge(town, log);
  expect(flaws, told.join('\n')).toEqual([]);
  expect(ends).toEqual({ done: 3, failed: 1 });
});
