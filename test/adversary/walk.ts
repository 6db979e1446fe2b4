// One walk: honest steps and a liar's transactions in turn, until a promise is broken or the numbers are used up.
import * as fc from 'fast-check';
import { Draw } from './draw.ts';
import * as glance from './glance.ts';
import { honestStep } from './honest.ts';
import { INVARIANTS } from './invariants.ts';
import { lie, lieInstead, type Lie } from './lies.ts';
import type { Entry } from './story.ts';
import { temperOf, type Temper } from './temper.ts';
import { World, type OnRefused } from './world.ts';

/** Which promise was broken, how, and in which step. */
export type Found = { readonly invariant: string; readonly how: string; readonly steps: number };
export type Broken = Found & { readonly log: readonly Entry[] };
export type Walked = {
  readonly world: World;
  readonly broken: readonly Broken[];
  readonly lies: number;
  readonly temper: Temper;
};

/** How often somebody who is refused tries something else at once. */
const TRIES = 4;
/** Where nobody gets anywhere any more. */
const STEPS_OF_SILENCE = 12;
/** What may follow an end shows soon. */
const STEPS_AFTER_THE_END = 8;

function walk([first = 0, ...steps]: readonly number[], onRefused?: OnRefused): Walked {
  const temper = temperOf(new Draw(first));
  const world = new World(temper.succession, onRefused);
  const broken: Broken[] = [];
  let [lies, after, idle] = [0, 0, 0];
  for (const [n, step] of steps.entries()) {
    const draw = new Draw(step);
    const length = world.log.length;
    const said = n < temper.from ? asDue(world, temper, draw) : turn(world, temper, draw);
    idle = said === 'nothing' ? idle + 1 : 0;
    if (said !== 'nothing') {
      lies += said === 'lie' ? 1 : 0;
      broken.push(...brokenSince(world, length, n + 1));
      if (broken.length > 0 || world.disagreements.length > 0) break;
    }
    if ((glance.isOver(world.state) || world.state?.sealed === true) && ++after > STEPS_AFTER_THE_END) break;
    if (idle > STEPS_OF_SILENCE) break;
    world.pass(draw.percent(temper.waits) ? draw.of([2 * HOUR, 80 * HOUR]) : 1);
  }
  return { world, broken, lies, temper };
}

const HOUR = 3600;

type Said = 'lie' | 'due' | 'nothing';

/** A lie, or what is due; where that is the liar's part, it may do it in its own way, or let the others wait. */
function turn(world: World, temper: Temper, draw: Draw): Said {
  if (draw.percent(temper.lies)) return anyOf(world, () => lie(world, temper, draw)) ? 'lie' : 'nothing';
  const step = honestStep(world, temper.wish, draw);
  if (step === undefined) return 'nothing';
  const due = { by: step.by, events: world.written(step.by, step.drafts) };
  if (temper.liar.includes(step.by)) {
    if (draw.percent(temper.stalls)) return anyOf(world, () => lie(world, temper, draw)) ? 'lie' : 'nothing';
    const isOwnWay = draw.percent(60);
    if (isOwnWay && anyOf(world, () => lieInstead(world, step.by, due.events, temper, draw))) return 'lie';
  }
  return isAccepted(world, due) ? 'due' : 'nothing';
}

function asDue(world: World, { wish }: Temper, draw: Draw): Said {
  const step = honestStep(world, wish, draw);
  if (step === undefined) return 'nothing';
  return isAccepted(world, { by: step.by, events: world.written(step.by, step.drafts) }) ? 'due' : 'nothing';
}

function anyOf(world: World, told: () => Lie): boolean {
  for (let n = 0; n < TRIES; n++) if (isAccepted(world, told())) return true;
  return false;
}

function isAccepted(world: World, { by, events }: Lie): boolean {
  return events.length > 0 && world.append(by, events).is === 'accepted';
}

function brokenSince(world: World, from: number, steps: number): Broken[] {
  const found: Broken[] = [];
  for (let at = from; at < world.log.length; at++) {
    const before = world.story(at);
    for (const { name, broken } of INVARIANTS) {
      const how = broken(before, world.log[at]!);
      if (how !== undefined) found.push({ invariant: name, how, steps, log: world.log.slice(0, at + 1) });
    }
  }
  const transaction = world.log.slice(from);
  const story = world.story();
  for (const { name, brokenBy } of INVARIANTS) {
    const how = brokenBy?.(story, transaction);
    if (how !== undefined) found.push({ invariant: name, how, steps, log: world.log.slice() });
  }
  return found;
}

/** What fast-check draws for one walk: its temper, and for each step the number that its choices are read from. */
const numbers = fc.array(fc.noBias(fc.nat()), { minLength: 81, maxLength: 81 });

/** The walk that a seed stands for. */
export function walkOf(seed: number, onRefused?: OnRefused): Walked {
  return walk(fc.sample(numbers, { numRuns: 1, seed })[0]!, onRefused);
}
