// Eight writers that begin at once at one remote and never rest: nobody gets less than half of what another gets, on
// quick machines and on slow ones, who stops or shares a key holds up nobody, and who comes later gets in.
import { describe, expect, it } from 'vitest';
import { appendWanted } from '../../src/app/append.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { numbered } from '../chaos/workers.ts';
import { testKey } from '../support/people.ts';
import { taken } from '../support/taken.ts';
import { writing, type Costs } from './virtual-place.ts';

const LANDINGS = 20;
const TWO_CORES: Costs = { look: 10, fetch: 60, push: 30, cores: 2 };
/** With the seeds of runs in which somebody has gone short where turns had unequal lengths, or newcomers none. */
const PLACES: readonly (readonly [string, Costs, readonly number[]])[] = [
  ['a quick place', { look: 5, fetch: 25, push: 17, cores: 100 }, [1, 5, 10]],
  ['a busy machine', TWO_CORES, [4, 9]],
  ['a slow place', { look: 20, fetch: 80, push: 290, cores: 100 }, [3]],
];
const keys = Array.from({ length: 8 }, (_, i) => testKey(`runner-${i}`));

/** What each had when the first one had all; the others are then among themselves. */
async function landedOf(
  costs: Costs,
  seed: number,
  writers = keys,
  wants: (number: number) => number = () => LANDINGS,
): Promise<{ readonly byThen: readonly number[]; readonly inTheEnd: readonly number[] }> {
  const landed = writers.map(() => 0);
  let byThen: readonly number[] | undefined;
  const from = new Set<number>();
  await writing(writers, costs, seed, async (session, number) => {
    while (landed[number]! < wants(number)) {
      from.add(taken(await session.submit(appendWanted(numbered(1), systemIds))).from);
      landed[number]! += 1;
    }
    if (landed[number] === LANDINGS) byThen ??= [...landed];
  });
  // Each has a place of its own.
  expect(from.size).toBe(landed.reduce((sum, one) => sum + one, 0));
  return { byThen: byThen!, inTheEnd: landed };
}

describe.each(PLACES)('at %s', (_, costs, seeds) => {
  it.each(seeds)('the slowest has half of what the quickest has, at least (%i)', async (seed) => {
    const { byThen } = await landedOf(costs, seed);
    expect(Math.min(...byThen)).toBeGreaterThanOrEqual(LANDINGS / 2);
  });
});

describe('nobody is held up', () => {
  it.each([2, 6])('by those that want no more: the others go on in the same measure (%i)', async (seed) => {
    const wants = (number: number): number => (number % 2 === 0 ? 3 : LANDINGS);
    const { byThen, inTheEnd } = await landedOf(TWO_CORES, seed, keys, wants);
    expect(inTheEnd).toEqual(keys.map((_, number) => wants(number)));
    expect(Math.min(...byThen.filter((_, number) => wants(number) === LANDINGS))).toBeGreaterThanOrEqual(LANDINGS / 2);
  });

  it('by two that share a key, and neither are they', async () => {
    const { inTheEnd } = await landedOf(TWO_CORES, 6, [keys[0]!, keys[0]!, keys[1]!, keys[2]!]);
    expect(inTheEnd).toEqual([LANDINGS, LANDINGS, LANDINGS, LANDINGS]);
  });
});

/** How often the other one landed before it did, who has appended alone for long and does not rest. */
async function passedBy(costs: Costs, seed: number): Promise<number> {
  let passed = 0;
  const late = { hasLanded: false };
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  await writing(keys.slice(0, 2), costs, seed, async (session, number) => {
    const append = async (): Promise<unknown> => taken(await session.submit(appendWanted(numbered(1), systemIds)));
    if (number === 1) {
      await begun;
      await append();
      late.hasLanded = true;
      return;
    }
    for (let i = 0; i < ALONE + seed; i++) await append();
    begin();
    for (; !late.hasLanded && passed < PASSED_MAX; passed++) await append();
  });
  return passed;
}

const ALONE = 100;
/** Four of the gaps that the other one leaves. */
const PASSED_MAX = 32;

describe('who comes to one that never rests', () => {
  // Seeds of runs in which 50 to 118 landings went by, when pauses grew as among many and slept through the gaps.
  it.each([
    ['a quick place', 42],
    ['a quick place', 102],
    ['a busy machine', 21],
    ['a slow place', 69],
  ])('at %s lands soon (%i)', async (name, seed) => {
    const [, costs] = PLACES.find(([place]) => place === name)!;
    expect(await passedBy(costs, seed)).toBeLessThan(PASSED_MAX);
  });
});
