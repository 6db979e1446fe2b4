// How far a signer's own word about the time is believed. A verifier was not there and has no clock to compare with; what
// it has is the order of the ledger and what those who keep its time said before.
import type { Event } from '../event.ts';
import type { Member } from '../roster/roster.ts';
import { secondsBetween } from '../time.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { MissionCourse } from './course.ts';

/** The stated skew of two machines, twice, and a lost race that is decided again. */
export const CLOCK_TOLERANCE_SECONDS = 300;

/** Dated back behind what the ledger has come to, an approval, a grant or a lease would never be over. */
export function checkTime({ as_of }: MissionCourse, { occurred_at }: Event): Verdict<undefined> {
  // The same spelling, so that the order of texts is the order of instants.
  if (occurred_at >= as_of) return accept(undefined);
  const behind = secondsBetween(occurred_at, as_of);
  return behind > CLOCK_TOLERANCE_SECONDS
    ? refuse('clock_behind', { occurred_at, as_of, seconds_max: CLOCK_TOLERANCE_SECONDS })
    : accept(undefined);
}

/**
 * Gates and writers keep the time. A runner, or a person at a computer of their own, could otherwise date one event far
 * ahead and leave everybody else behind.
 */
export function timeAfter(as_of: string, { occurred_at }: Event, { roles }: Member): string {
  const keepsTime = roles.includes('gate') || roles.includes('writer');
  return keepsTime && occurred_at > as_of ? occurred_at : as_of;
}
