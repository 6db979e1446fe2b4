// Without a lie a mission comes to its end, under every tier that has effects; else the walks would show nothing.
import { expect, it } from 'vitest';
import { Draw } from './draw.ts';
import { honestStep } from './honest.ts';
import { World } from './world.ts';

it.each([1, 2, 3] as const)('an honest mission of tier %i is done', (tier) => {
  const world = new World();
  const wish = { tier, isFromForge: tier < 3, kinds: ['push_branch', 'open_pull_request'] } as const;
  for (let n = 0; n < 40 && (world.state?.course?.end ?? null) === null; n++) {
    const step = honestStep(world, wish, new Draw([n % 2, 0, 0, 0, 0]));
    if (step === undefined) throw new Error('nobody has anything to do');
    const answer = world.append(step.by, world.written(step.by, step.drafts));
    expect(answer, JSON.stringify(answer).slice(0, 300)).toMatchObject({ is: 'accepted' });
    world.pass(1);
  }
  expect(world.state?.course?.end?.outcome).toBe('done');
  expect(world.disagreements).toEqual([]);
});
