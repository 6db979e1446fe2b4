// The machine's wall clock.
import type { Clock } from '../../ports/clock.ts';

const MS_PER_SECOND = 1000;

export const systemClock: Clock = { nowSeconds: () => Math.floor(Date.now() / MS_PER_SECOND) };
