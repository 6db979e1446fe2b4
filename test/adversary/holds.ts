// Walks over a mission that somebody holds: people hold it and let it go on, honest steps between, and a liar who would have it
// go on all the same. Apart from the other walks, in which nobody holds anything.
import { decideHold, type Holding } from '../../src/kernel/decide/hold.ts';
import { recorded } from '../../src/kernel/decide/ingress.ts';
import { LIARS, SUCCESSIONS, type Name } from './cast.ts';
import { Draw } from './draw.ts';
import { honestStep } from './honest.ts';
import { origin, PLAIN, STEADY, type Wish } from './inputs.ts';
import { INVARIANTS } from './invariants.ts';
import { lie } from './lies.ts';
import { temperOf, type Temper } from './temper.ts';
import type { Found } from './walk.ts';
import { World } from './world.ts';

const MEMBERS = SUCCESSIONS['nothing happens'][0]!.members;
const SPEAKERS = ['ana', 'ana-second', 'bo', 'cy', 'ron', 'wim', 'gil'] as const satisfies readonly Name[];
const STEPS = 50;

/** Says again what began something, here or in other missions, mostly as it was said. */
const GOING_ON = {
  ways: { again: 4, elsewhere: 3, next: 2, act: 3, pretence: 2, wish: 1, receipt: 0, project: 0 },
  nouns: ['mission.', 'grant.', 'lease.', 'cell.', 'attempt.', 'effect.'],
  acts: ['grant', 'spawn', 'deliver', 'recover', 'finish'],
  changes: 25,
  isPatient: true,
} as const satisfies Partial<Temper>;

/** The first promise that the walk of this seed breaks. */
export function holdsOf(seed: number): Found | undefined {
  const draw = new Draw(seed);
  const world = new World('nothing happens');
  const tier = draw.of([1, 1, 2, 3] as const);
  const habits = { ...STEADY, unbegun: 10, fail: 10 };
  const wish: Wish = { ...PLAIN, tier, isFromForge: tier < 3 && draw.percent(50), habits };
  const temper = { ...temperOf(draw), ...GOING_ON, wish, liar: draw.of(LIARS) };
  let isHeld = false;
  for (let n = 1; n <= STEPS; n++) {
    const next = new Draw(seed * 1000 + n);
    const from = world.log.length;
    if (n > 3 && next.percent(isHeld ? 25 : 15))
      isHeld = say(world, isHeld ? 'unheld' : 'held', next) ? !isHeld : isHeld;
    else if (next.percent(35)) {
      const { by, events } = lie(world, temper, next);
      if (events.length > 0) world.append(by, events);
    } else {
      const step = honestStep(world, wish, next);
      if (step !== undefined) world.append(step.by, world.written(step.by, step.drafts));
    }
    const found = brokenSince(world, from, n);
    if (found !== undefined) return found;
    world.pass(1);
  }
  return undefined;
}

/** In a comment or under their own key, by whom it concerns and by whom it does not. */
function say(world: World, is: Holding['is'], draw: Draw): boolean {
  const { state } = world;
  if (state === undefined) return false;
  const name = draw.of(SPEAKERS);
  const member = MEMBERS.find(({ principal_id }) => principal_id === name)!;
  const account = member.forge_user_id;
  const isRelayed = account !== null && draw.percent(50);
  const forge = isRelayed ? origin({ comment: world.comment(), account, at: world.now }) : null;
  const word = decideHold(state, { is, actor: isRelayed ? member : undefined, forge, reason: null });
  const raw = `sha256:${'5a'.repeat(32)}`;
  const cameIn = recorded(state, { raw, forge, resolution: 'control', anchor: null }, world.names());
  if (word.is === 'refused' || cameIn.is === 'refused') return false;
  const by: Name = isRelayed ? 'gil' : name;
  return world.append(by, world.written(by, [...cameIn.value, ...word.value])).is === 'accepted';
}

function brokenSince(world: World, from: number, steps: number): Found | undefined {
  for (let at = from; at < world.log.length; at++)
    for (const { name, broken } of INVARIANTS) {
      const how = broken(world.story(at), world.log[at]!);
      if (how !== undefined) return { invariant: name, how, steps };
    }
  return undefined;
}
