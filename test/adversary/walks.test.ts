// Whoever lies, and however: no promise is broken in any history that the rules accept. And each rule against lies is
// needed: without it a walk breaks a promise, from the seed and in the step that are written down here.
//
// More walks: `LAZARUS_WALKS=5000 npx vitest run --config test/vitest.config.ts test/adversary/walks.test.ts`. Seeds for
// `teeth.json` are sought anew, for every rule there, with `LAZARUS_SEEK=1`.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RuleAgainstLies } from '../../src/kernel/enforced.ts';
import { INVARIANTS } from './invariants.ts';
import { walkOf, type Broken } from './walk.ts';

const off = vi.hoisted(() => ({ rule: '' }));
vi.mock('../../src/kernel/enforced.ts', () => ({ enforced: (rule: string) => rule !== off.rule }));

type Tooth = {
  readonly rule: RuleAgainstLies;
  readonly seed: number;
  readonly steps: number;
  readonly invariant: string;
};

const TEETH_FILE = new URL('teeth.json', import.meta.url).pathname;
const TEETH = JSON.parse(readFileSync(TEETH_FILE, 'utf8')) as Tooth[];
const WALKS = Number(process.env['LAZARUS_WALKS'] ?? 150);
const SEEK_MAX = Number(process.env['LAZARUS_SEEK_MAX'] ?? 1_000);

afterEach(() => {
  off.rule = '';
});

describe('with every rule', () => {
  it(`no promise is broken in ${WALKS} walks, and what is restored decides alike`, () => {
    let [lies, ended] = [0, 0];
    for (let seed = 1; seed <= WALKS; seed++) {
      const { broken, world, lies: told } = walkOf(seed);
      expect({ seed, broken: shown(broken), disagreements: world.disagreements }).toEqual({
        seed,
        broken: [],
        disagreements: [],
      });
      lies += told;
      ended += (world.state?.course?.end ?? null) === null ? 0 : 1;
    }
    // Else the promises would have been shown for histories in which nobody lied, or nothing happened.
    expect(lies).toBeGreaterThan(WALKS);
    expect(ended).toBeGreaterThan(WALKS / 10);
  });
});

if (process.env['LAZARUS_SEEK'] === '1')
  it('a walk is sought for every rule', { timeout: 7_200_000 }, () => {
    const found = TEETH.flatMap(({ rule }) => seek(rule) ?? []);
    writeFileSync(TEETH_FILE, `${JSON.stringify(found, undefined, 2)}\n`);
  });
else
  describe.each(TEETH)('without $rule', ({ rule, seed, steps, invariant }) => {
    it(`walk ${seed} breaks «${invariant}» in step ${steps}, and with it does not`, () => {
      off.rule = rule;
      expect(walkOf(seed).broken).toContainEqual(expect.objectContaining({ invariant, steps }));
      off.rule = '';
      expect(shown(walkOf(seed).broken)).toEqual([]);
    });
  });

it('every promise is one that a liar could break, and is said in words', () => {
  expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length);
});

function seek(rule: RuleAgainstLies): Tooth | undefined {
  off.rule = rule;
  for (let seed = 1; seed <= SEEK_MAX; seed++) {
    const [first] = walkOf(seed).broken;
    if (first !== undefined) return { rule, seed, steps: first.steps, invariant: first.invariant };
  }
  return undefined;
}

function shown(broken: readonly Broken[]): string[] {
  return broken.map(({ invariant, how, steps, log }) => {
    const last = log.slice(-4).map(({ event, by }) => `${by} ${event.event_type}`);
    return `${invariant}: ${how} (step ${steps}: ${last.join(', ')})`;
  });
}
