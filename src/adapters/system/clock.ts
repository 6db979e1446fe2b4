// The machine's wall clock, which refuses a time that no signature could state; and waiting by chance, so that those who were
// in each other's way once are not so again.
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../ports/clock.ts';

const MS_PER_SECOND = 1000;
/** OpenPGP writes times as four bytes: 1970 to 2106. A clock beyond that is broken, and what it would sign is lost. */
const SECONDS_MAX = 0xffff_ffff;

export const systemClock: Clock = { nowSeconds };

/** Waits a random time up to the first given, and not less than the second; `signal` ends that. */
export function backOffUntil(signal?: AbortSignal): (upToMs: number, atLeastMs?: number) => Promise<void> {
  return (upToMs, atLeastMs = 0) => wait(atLeastMs + Math.random() * (upToMs - atLeastMs), undefined, { signal });
}

function nowSeconds(): number {
  const seconds = Math.floor(Date.now() / MS_PER_SECOND);
  if (seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw new Failure('clock_out_of_range', { seconds, seconds_max: SECONDS_MAX });
}
