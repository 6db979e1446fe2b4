// Which plans a machine may run whose keys every writer of the repository can read, and what a plan says of that beforehand.
import { expect, it } from 'vitest';
import { checkExposure, exposureUnder } from '../../../src/kernel/policy/exposure.ts';

const OPEN = { supervised: false };
const SUPERVISED = { supervised: true };

it('lets keys that others can read vouch for tiers 0 and 1 alone, as keys in CI do', () => {
  const tiers = [0, 1, 2, 3].map((tier) => checkExposure('repository_writers', { tier, runner: OPEN }).is);
  expect(tiers).toEqual(['accepted', 'accepted', 'refused', 'refused']);
});

it('lets them vouch for nothing where policy wants a supervisor', () => {
  expect(checkExposure('repository_writers', { tier: 0, runner: SUPERVISED })).toMatchObject({
    code: 'runner_exposed',
  });
});

it('asks nothing of a machine whose keys are its keepers’ alone', () => {
  for (const runner of [OPEN, SUPERVISED]) expect(checkExposure(null, { tier: 3, runner }).is).toBe('accepted');
});

it('says before a run what policy leaves open, and nothing of people’s own computers', () => {
  expect(exposureUnder(OPEN, { isOnForge: true })).toBe('repository_writers');
  expect(exposureUnder(SUPERVISED, { isOnForge: true })).toBeNull();
  expect(exposureUnder(OPEN, { isOnForge: false })).toBeNull();
});
