// Causes, correlations and keys as an honest writer fills them in, for events of tests that are about something else.
import { because, correlationFor, keyFor, type Before } from '../../src/kernel/cause/because.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { State } from '../../src/kernel/state.ts';

export function caused<E extends Event>(said: E, before: Before): E {
  const filled = {
    ...said,
    correlation_id: correlationFor(said, before) ?? said.correlation_id,
    idempotency_key: keyFor(said, before) ?? said.idempotency_key,
  };
  if (said.cause !== undefined || said.causation_id !== null) return filled;
  return { ...filled, causation_id: because(said, before) };
}

/** A transaction's events. */
export function allCaused(said: readonly Event[], state: State | undefined): readonly Event[] {
  const events: Event[] = [];
  for (const one of said) events.push(caused(one, { state, earlier: events }));
  return events;
}
