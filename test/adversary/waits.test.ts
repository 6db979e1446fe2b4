// A mission that is not over waits for somebody who can do something, whatever its people did and in whatever order.
//
// More walks: `LAZARUS_WAITS=5000 npx vitest run --config test/vitest.config.ts test/adversary/waits.test.ts`, from another
// seed on with `LAZARUS_WAITS_FROM`.
import { expect, it } from 'vitest';
import { waitsOf } from './waits.ts';

const WALKS = Number(process.env['LAZARUS_WAITS'] ?? 40);
const FROM = Number(process.env['LAZARUS_WAITS_FROM'] ?? 1);

/** What a mission waits for, each of which the walks have to come to: else nothing would have been shown of it. */
const WAITED_FOR = ['plan', 'people', 'grant', 'ask', 'cell', 'busy', 'recover', 'held', 'deliver'] as const;

it(`somebody can do something after every step of ${WALKS} walks`, { timeout: 7_200_000 }, () => {
  const waited = new Set<string>();
  let over = 0;
  for (let seed = FROM; seed < FROM + WALKS; seed++) {
    const { stuck, waitedFor, isOver } = waitsOf(seed);
    expect({ seed, stuck }).toEqual({ seed, stuck: undefined });
    for (const one of waitedFor) waited.add(one);
    over += isOver ? 1 : 0;
  }
  expect([...waited]).toEqual(expect.arrayContaining([...WAITED_FOR]));
  expect(over).toBeGreaterThan(WALKS / 8);
});
