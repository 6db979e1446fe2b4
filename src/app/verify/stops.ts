// When a project was stopped, and what was begun in a mission all the same, under an older head: by its own date after the
// stop. That is reported and refuses nothing: dates are their signers' words, and who was cut off could not know.
import type { Event } from '../../kernel/event.ts';
import { isStopped } from '../../kernel/stops.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../kernel/course/when.ts';
import { secondsBetween } from '../../kernel/time.ts';
import type { TreeHead } from '../../kernel/values.ts';

/** From one event of the project to another, or until now. */
export type Stop = { readonly index: number; readonly at: string; readonly until: string | null };

/** The stop that this event was begun in, if whoever began it cited a head from before. */
export function stopOverlooked(stops: readonly Stop[], cited: TreeHead, event: Event): Stop | undefined {
  if (!isStopped(event)) return undefined;
  const { occurred_at: now } = event;
  return stops.find(
    ({ index, at, until }) =>
      cited.size <= index &&
      now >= at &&
      secondsBetween(at, now) > CLOCK_TOLERANCE_SECONDS &&
      (until === null || now < until),
  );
}
