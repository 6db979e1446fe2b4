// Whoever lies, and however: no promise is broken in any history that the rules accept. And each rule against lies is
// needed: without it a walk breaks a promise, from the seed and in the step that are written down here.
//
// More walks: `LAZARUS_WALKS=5000 npx vitest run --config test/vitest.config.ts test/adversary/walks.test.ts`. Seeds for
// `teeth.json` are sought anew, for all rules in one go, with `LAZARUS_SEEK=1`; for some of them, the others left as they
// are, with `LAZARUS_SEEK=rule_name,other_rule`; `LAZARUS_SEEK_MAX` says up to which seed.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { haltsOf } from './halts.ts';
import { holdsOf } from './holds.ts';
import { INVARIANTS } from './invariants.ts';
import { repairsOf } from './repairs.ts';
import { walkOf, type Broken, type Found } from './walk.ts';

const off = vi.hoisted(() => ({ rules: new Set<string>() }));
vi.mock('../../src/kernel/enforced.ts', () => ({ enforced: (rule: string) => !off.rules.has(rule) }));

type Tooth = { readonly rule: string; readonly seed: number; readonly steps: number; readonly invariant: string };

const RULES_FILE = new URL('../../src/kernel/enforced.ts', import.meta.url).pathname;
const RULES = [...readFileSync(RULES_FILE, 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, rule]) => rule!);
/** Rules that the other walks cannot break: about a branch on which somebody repaired, a project’s own ledger, a mission that somebody holds. */
const ELSEWHERE: Readonly<Record<string, (seed: number) => Promise<Found | undefined> | Found | undefined>> = {
  halt_of_a_root_stands: haltsOf,
  unheld_by_those_who_may: holdsOf,
  nothing_begins_while_held: holdsOf,
  repair_keeps_valid_repairs: repairsOf,
};

const TEETH_FILE = new URL('teeth.json', import.meta.url).pathname;
const TEETH = JSON.parse(readFileSync(TEETH_FILE, 'utf8')) as Tooth[];
const WALKS = Number(process.env['LAZARUS_WALKS'] ?? 150);
const SEEK = process.env['LAZARUS_SEEK'];
const SEEK_MAX = Number(process.env['LAZARUS_SEEK_MAX'] ?? 8_000);
/** Also without a lie a walk over a branch verifies it anew with every step. */
const BRANCHES = Math.ceil(WALKS / 15);

afterEach(() => {
  off.rules.clear();
});

describe('with every rule', () => {
  it(`no promise is broken in ${WALKS} walks, and what is restored decides alike`, { timeout: 7_200_000 }, () => {
    let [lies, ended] = [0, 0];
    for (let seed = 1; seed <= WALKS; seed++) {
      const { broken, world, lies: told } = walkOf(seed);
      expect({ seed, broken: shown(broken), disagreements: world.disagreements }).toEqual({
        seed,
        broken: [],
        disagreements: [],
      });
      lies += told;
      ended += world.log.some(({ event }) => event.event_type === 'mission.ended') ? 1 : 0;
    }
    // Else the promises would have been shown for histories in which nobody lied, or nothing happened.
    expect(lies).toBeGreaterThan(WALKS);
    expect(ended).toBeGreaterThan(WALKS / 5);
  });

  it(`nothing is lost in ${BRANCHES} walks over a branch that is littered and repaired`, async () => {
    for (let seed = 1; seed <= BRANCHES; seed++) expect({ seed, found: await repairsOf(seed) }).toEqual({ seed });
  });

  it(`nothing begins in ${WALKS} walks over a mission that is held, until those who may let it go on`, () => {
    for (let seed = 1; seed <= WALKS; seed++) expect({ seed, found: holdsOf(seed) }).toEqual({ seed });
  });

  it(`what a root stopped stands in ${WALKS} walks over a project`, () => {
    for (let seed = 1; seed <= WALKS; seed++) expect({ seed, found: haltsOf(seed) }).toEqual({ seed });
  });
});

if (SEEK !== undefined)
  it('a walk is sought for every rule', { timeout: 7_200_000 }, async () => {
    const wanted = SEEK === '1' ? RULES : SEEK.split(',');
    const found = new Map(TEETH.filter(({ rule }) => !wanted.includes(rule)).map((one) => [one.rule, one]));
    for (const tooth of await seek(new Set(wanted))) found.set(tooth.rule, tooth);
    const teeth = RULES.flatMap((rule) => found.get(rule) ?? []);
    writeFileSync(TEETH_FILE, `${JSON.stringify(teeth, undefined, 2)}\n`);
    expect(RULES.filter((rule) => !found.has(rule))).toEqual([]);
  });
else
  describe.each(TEETH)('without $rule', ({ rule, seed, steps, invariant }) => {
    it(`walk ${seed} breaks «${invariant}» in step ${steps}, and with it does not`, async () => {
      off.rules.add(rule);
      expect(await foundIn(rule, seed)).toContainEqual(expect.objectContaining({ invariant, steps }));
      off.rules.clear();
      expect(await foundIn(rule, seed)).toEqual([]);
    });
  });

it('every rule against lies has a walk that needs it', () => {
  expect(TEETH.map(({ rule }) => rule)).toEqual(RULES);
});

it('every promise is said in words, under a name of its own', () => {
  expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length);
  expect(INVARIANTS.filter(({ words }) => !words.endsWith('.'))).toEqual([]);
});

async function foundIn(rule: string, seed: number): Promise<readonly Found[]> {
  const elsewhere = ELSEWHERE[rule];
  if (elsewhere === undefined) return walkOf(seed).broken;
  const found = await elsewhere(seed);
  return found === undefined ? [] : [found];
}

/**
 * One walk under all rules serves for all of them: only where it was refused by one of them, and by that one alone, is the
 * seed walked again without it.
 */
async function seek(wanted: Set<string>): Promise<Tooth[]> {
  const teeth: Tooth[] = [];
  for (let seed = 1; seed <= SEEK_MAX && wanted.size > 0; seed++) {
    const elsewhere = Object.keys(ELSEWHERE).filter((rule) => wanted.has(rule));
    const isInMissions = elsewhere.length < wanted.size;
    for (const rule of [...(isInMissions ? wouldMatter(seed, wanted) : []), ...elsewhere]) {
      off.rules.add(rule);
      const [first] = await foundIn(rule, seed);
      off.rules.clear();
      if (first === undefined) continue;
      wanted.delete(rule);
      teeth.push({ rule, seed, steps: first.steps, invariant: first.invariant });
    }
  }
  return teeth;
}

/** The rules that refused something in this walk which would have been accepted without them. */
function wouldMatter(seed: number, wanted: ReadonlySet<string>): readonly string[] {
  const matter = new Set<string>();
  const judged = (rules: Iterable<string>, wouldPass: () => boolean): boolean => {
    for (const rule of rules) off.rules.add(rule);
    const passes = wouldPass();
    off.rules.clear();
    return passes;
  };
  walkOf(seed, (wouldPass) => {
    if (!judged(wanted, wouldPass)) return;
    for (const rule of wanted) if (!matter.has(rule) && judged([rule], wouldPass)) matter.add(rule);
  });
  return [...matter];
}

function shown(broken: readonly Broken[]): string[] {
  return broken.map(({ invariant, how, steps, log }) => {
    const last = log.slice(-4).map(({ event, by }) => `${by} ${event.event_type}`);
    return `${invariant}: ${how} (step ${steps}: ${last.join(', ')})`;
  });
}
