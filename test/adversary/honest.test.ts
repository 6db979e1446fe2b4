// Without a lie a mission comes to its end, under every tier that has effects; else the walks would show nothing.
import { expect, it } from 'vitest';
import { Draw } from './draw.ts';
import * as glance from './glance.ts';
import { honestStep } from './honest.ts';
import { PLAIN } from './inputs.ts';
import { World } from './world.ts';

it.each([1, 2, 3] as const)('an honest mission of tier %i is done', (tier) => {
  const world = new World('nothing happens');
  const wish = { ...PLAIN, tier, isFromForge: tier < 3 };
  const draw = new Draw(tier);
  for (let n = 0; n < 40 && !glance.isOver(world.state); n++) {
    const step = honestStep(world, wish, draw);
    if (step === undefined) throw new Error('nobody has anything to do');
    const answer = world.append(step.by, world.written(step.by, step.drafts));
    expect(answer, JSON.stringify(answer).slice(0, 300)).toMatchObject({ is: 'accepted' });
    world.pass(1);
  }
  expect(world.log.at(-1)?.event).toMatchObject({ event_type: 'mission.ended', payload: { outcome: 'done' } });
  expect(world.disagreements).toEqual([]);
});
