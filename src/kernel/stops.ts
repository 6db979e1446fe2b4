// What no longer happens in a mission that has ended, was called off or is held, or whose project is halted, and what happens
// only while its paths are claimed: nothing new begins, and what was begun is seen, checked, receipted, closed and let go. The answers stand
// with the event types, in their nouns.
import { PLACES, type Event, type EventType } from './event.ts';
import type { When } from './traits.ts';

/** Asked once the mission has ended: everything else is new work, and new work is a new mission. */
export function isAftercare(type: EventType): boolean {
  return PLACES[type].aftercare === true;
}

/** Asked of every event of a mission that was called off. */
export function isCalledOff(event: Event): boolean {
  return holds(PLACES[event.event_type].untilCancelled, event);
}

/** Asked of every event of a mission that is held. */
export function isHeldBack(event: Event): boolean {
  return holds(PLACES[event.event_type].untilHeld, event);
}

/** Asked of an event that was decided under a head of the project in which it is halted. */
export function isStopped(event: Event): boolean {
  return holds(PLACES[event.event_type].untilHalted, event);
}

/** Asked of every event that would run an agent or cause something. */
export function needsPaths(event: Event): boolean {
  return holds(PLACES[event.event_type].needsPaths, event);
}

function holds(when: When<never> | undefined, { payload }: Event): boolean {
  // A type's word is about its own payload.
  return typeof when === 'function' ? (when as (own: typeof payload) => boolean)(payload) : when === true;
}
