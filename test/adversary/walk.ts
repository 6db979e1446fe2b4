// One walk: honest steps and a liar's transactions in turn, until a promise is broken or the numbers are used up.
import * as fc from 'fast-check';
import type { Event } from '../../src/kernel/event.ts';
import { LIARS } from './cast.ts';
import { Draw } from './draw.ts';
import { honestStep, type Wish } from './honest.ts';
import { INVARIANTS } from './invariants.ts';
import { lie, type Liar } from './lies.ts';
import { World, type Entry } from './world.ts';

export type Broken = {
  readonly invariant: string;
  readonly how: string;
  readonly steps: number;
  readonly log: readonly Entry[];
};
export type Walked = {
  readonly world: World;
  readonly broken: readonly Broken[];
  readonly lies: number;
  readonly liar: Liar;
};

/** `steps`: for each step the numbers that its choices are read from. */
function walk(numbers: readonly (readonly number[])[]): Walked {
  const world = new World();
  const [first = [0], ...steps] = numbers;
  const draw = new Draw(first);
  const tier = draw.of([1, 1, 2, 3] as const);
  const liar = draw.of(LIARS);
  const kinds = draw.of([['push_branch', 'open_pull_request'], ['push_branch'], ['open_pull_request']] as const);
  const wish: Wish = { tier, isFromForge: tier < 3 && draw.percent(50), kinds };
  const library = libraryOf(tier >= 2);
  const broken: Broken[] = [];
  let lies = 0;
  for (const [n, step] of steps.entries()) {
    const next = new Draw(step);
    const isLie = next.percent(45);
    const said = isLie ? lie(world, liar, wish, next, library) : honest(world, wish, next);
    if (said === undefined || said.events.length === 0) continue;
    const length = world.log.length;
    if (world.append(said.by, said.events).is === 'refused') continue;
    lies += isLie ? 1 : 0;
    for (let at = length; at < world.log.length; at++)
      for (const { name, broken: isBroken } of INVARIANTS) {
        const how = isBroken(world.log.slice(0, at), world.log[at]!);
        if (how !== undefined) broken.push({ invariant: name, how, steps: n + 1, log: world.log.slice(0, at + 1) });
      }
    if (broken.length > 0 || world.disagreements.length > 0) break;
    if (next.percent(2)) world.pass(80 * 3600);
    world.pass(1);
  }
  return { world, broken, lies, liar };
}

function honest(world: World, wish: Wish, draw: Draw) {
  const step = honestStep(world, wish, draw);
  return step === undefined ? undefined : { by: step.by, events: world.written(step.by, step.drafts) };
}

const libraries = new Map<boolean, readonly Event[]>();

/** Everything that is said in an honest mission from its beginning to its end. */
function libraryOf(isHigh: boolean): readonly Event[] {
  const known = libraries.get(isHigh);
  if (known !== undefined) return known;
  const world = new World();
  const wish: Wish = { tier: isHigh ? 2 : 1, isFromForge: true, kinds: ['push_branch', 'open_pull_request'] };
  for (let n = 0; n < 40; n++) {
    const said = honest(world, wish, new Draw([n % 2, 0, 0, 0, 0]));
    if (said === undefined) break;
    world.append(said.by, said.events);
    world.pass(1);
  }
  const events = world.log.map(({ event }) => event);
  libraries.set(isHigh, events);
  return events;
}

/** What fast-check draws for one walk: a step's choices are read from its own numbers, so that it can leave steps out. */
const numbers = fc.array(fc.array(fc.nat(1_000_003), { minLength: 17, maxLength: 17 }), {
  minLength: 70,
  maxLength: 70,
});

/** The walk that a seed stands for. */
export function walkOf(seed: number): Walked {
  return walk(fc.sample(numbers, { numRuns: 1, seed })[0]!);
}
