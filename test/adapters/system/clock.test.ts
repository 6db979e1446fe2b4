// The clock as signatures need it: whole seconds that four bytes can hold, or a reason by name.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the clock', () => {
  it.each([
    [0, 0],
    [1_790_000_000_999, 1_790_000_000],
    [2 ** 32 * 1000 - 1, 2 ** 32 - 1],
  ])('at %i ms tells %i whole seconds', (ms, seconds) => {
    vi.setSystemTime(ms);
    expect(systemClock.nowSeconds()).toBe(seconds);
  });

  it.each([-1, 2 ** 32 * 1000, 8.64e15])('at %i ms is refused by name: no signature can state it', (ms) => {
    vi.setSystemTime(ms);
    expect(() => systemClock.nowSeconds()).toThrow(expect.objectContaining({ code: 'clock_out_of_range' }));
  });
});
