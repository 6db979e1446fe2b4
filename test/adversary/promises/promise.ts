// What a promise is: words that people rely on, and code that finds in a log where they were broken. Reads the story alone.
import type { EventOf, EventType } from '../../../src/kernel/event.ts';
import type { Entry, Story } from '../story.ts';

export type Promised = {
  readonly name: string;
  readonly words: string;
  /** What is wrong with an event that was just accepted, behind `before`; nothing where nothing is. */
  readonly broken: (before: Story, entry: Entry) => string | undefined;
  /** The same at the end of each transaction; `story`: with it. */
  readonly brokenBy?: (story: Story, transaction: readonly Entry[]) => string | undefined;
};

export function promise(name: string, words: string, broken: Promised['broken']): Promised {
  return { name, words, broken };
}

/** Said of some event types only. */
export function whenever<T extends EventType>(
  types: readonly T[],
  broken: (event: EventOf<T>, before: Story, entry: Entry) => string | undefined,
): Promised['broken'] {
  return (before, entry) =>
    (types as readonly string[]).includes(entry.event.event_type)
      ? broken(entry.event as EventOf<T>, before, entry)
      : undefined;
}
