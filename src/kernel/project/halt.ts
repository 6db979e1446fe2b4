// What a halted project stops in its missions, and what goes on: nothing new is planned, granted, begun or caused; what was
// begun is seen, checked, receipted, closed and let go.
import type { Event, EventType } from '../event.ts';

const STOPPED: ReadonlySet<EventType> = new Set<EventType>(['plan.computed', 'grant.issued', 'effect.intended']);

/** Asked of an event that was decided under a head of the project in which it is halted. */
export function isStopped(event: Event): boolean {
  // A check’s cell closes what an agent’s began.
  return event.event_type === 'cell.spawned' ? event.payload.purpose === 'agent' : STOPPED.has(event.event_type);
}
