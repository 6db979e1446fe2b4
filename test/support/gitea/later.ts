// The environment of a runner whose jobs come later than they do: after the silence of another runner was long enough to be
// called so. Their clock is ahead, and the minute for which a schedule watches is over at once; nothing of lazarus knows.

/** Longer than a runner may be silent, and far from the end of its lease. */
const AHEAD_MS = 4 * 60_000;
const WATCHED_MS = 65_000;

const SPOKEN = `
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
Date.now = ((now) => () => now() + ${AHEAD_MS})(Date.now);
timers.setTimeout = ((wait) => (ms, ...more) => wait(ms === ${WATCHED_MS} ? 0 : ms, ...more))(timers.setTimeout);
syncBuiltinESMExports();
`;

export const LATER = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SPOKEN)}` };
