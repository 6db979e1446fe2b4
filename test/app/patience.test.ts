// What waits for a forge that is away: how long, how often, and what it never sends twice.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { patienceFor, withPatience } from '../../src/app/patience.ts';
import type { PushOutcome, Remote } from '../../src/ports/remote.ts';

const away = (): Failure => new Failure('remote_unreachable', { url: 'http://forge.example' }, { retry: 'later' });

/** A clock that only moves when somebody waits, and waits for as long as it may. */
function waiting(awayMsMax: number) {
  const pauses: number[] = [];
  const told: string[] = [];
  let now = 0;
  const patience = patienceFor({
    awayMsMax,
    nowMs: () => now,
    backOff: (upToMs, atLeastMs = 0) => {
      expect(atLeastMs).toBe(upToMs / 2);
      pauses.push(upToMs);
      now += upToMs;
      return Promise.resolve();
    },
    onAway: ({ code }) => told.push(code),
    onBack: (awayMs) => told.push(`back after ${awayMs}`),
  });
  return { patience, pauses, told };
}

/** Fails as told, one failure a time, and answers then. */
function after<T>(failures: readonly Error[], answer: T): { ask: () => Promise<T>; asked: () => number } {
  let n = 0;
  const ask = (): Promise<T> => {
    const failure = failures[n++];
    return failure === undefined ? Promise.resolve(answer) : Promise.reject(failure);
  };
  return { ask, asked: () => n };
}

describe('a forge that is away', () => {
  it('is asked again with growing pauses, none above a quarter of a minute, and told about once', async () => {
    const { patience, pauses, told } = waiting(600_000);
    const { ask } = after(Array.from({ length: 8 }, away), 'here');
    expect(await patience(ask)).toBe('here');
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(told).toEqual(['remote_unreachable', 'back after 60500']);
  });

  it('is given up on when the time that there is for it is over, not later', async () => {
    const { patience, pauses } = waiting(10_000);
    const { ask, asked } = after(Array.from({ length: 99 }, away), 'here');
    await expect(patience(ask)).rejects.toMatchObject({ code: 'remote_unreachable' });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
    expect(asked()).toBe(6);
  });

  it('is asked once more and no longer when whoever waits has to leave', async () => {
    const over = new AbortController();
    const backOff = (): Promise<void> => Promise.resolve(over.abort());
    const patience = patienceFor({ awayMsMax: 600_000, nowMs: () => 0, backOff, over: over.signal });
    const { ask, asked } = after(Array.from({ length: 99 }, away), 'here');
    await expect(patience(ask)).rejects.toMatchObject({ code: 'remote_unreachable' });
    expect(asked()).toBe(2);
    await expect(patience(ask)).rejects.toMatchObject({ code: 'remote_unreachable' });
    expect(asked()).toBe(3);
  });

  it('has all the time again after it was there', async () => {
    const { patience } = waiting(10_000);
    for (let outage = 0; outage < 3; outage++)
      expect(await patience(after(Array.from({ length: 4 }, away), outage).ask)).toBe(outage);
  });

  it.each([
    new Failure('remote_unreachable', {}),
    new Failure('authentication_needed', {}),
    new Failure('forge_answer_lost', {}, { retry: 'later' }),
    new Failure('push_unknown', {}, { retry: 'later' }),
    new TypeError('a mistake of ours'),
  ])('is not what $message is about: that is passed on at once', async (error) => {
    const { patience, pauses } = waiting(600_000);
    await expect(patience(after([error], 'here').ask)).rejects.toBe(error);
    expect(pauses).toEqual([]);
  });
});

describe('a push', () => {
  const pushing = (push: Remote['push']) => ({ push }) as Remote;
  const CHANGE = { objects: [], updates: [] };

  it('that never left is sent again', async () => {
    const { ask, asked } = after<PushOutcome>([away(), away()], { is: 'landed' });
    const { patience } = waiting(600_000);
    expect(await withPatience(pushing(ask), patience).push(CHANGE)).toEqual({ is: 'landed' });
    expect(asked()).toBe(3);
  });

  it('that may have landed is not', async () => {
    const { ask, asked } = after<PushOutcome>([], { is: 'unknown', why: 'ECONNRESET' });
    const { patience } = waiting(600_000);
    expect(await withPatience(pushing(ask), patience).push(CHANGE)).toMatchObject({ is: 'unknown' });
    expect(asked()).toBe(1);
  });
});
