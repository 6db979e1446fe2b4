// The machine's wall clock. Refuses a time that no signature could state.
import { Failure } from '../../failure.ts';
import type { Clock } from '../../ports/clock.ts';

const MS_PER_SECOND = 1000;
/** OpenPGP writes times as four bytes: 1970 to 2106. A clock beyond that is broken, and what it would sign is lost. */
const SECONDS_MAX = 0xffff_ffff;

export const systemClock: Clock = { nowSeconds };

function nowSeconds(): number {
  const seconds = Math.floor(Date.now() / MS_PER_SECOND);
  if (seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw new Failure('clock_out_of_range', { seconds, seconds_max: SECONDS_MAX });
}
