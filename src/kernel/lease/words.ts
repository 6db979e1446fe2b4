// How the end of somebody's lease is told of wherever people read: its time was over, or nothing was heard of them.
import type { EventOf } from '../event.ts';

export function expiredWords({ silence }: Pick<EventOf<'lease.expired'>['payload'], 'silence'>): string {
  if (silence === null) return 'its lease is over';
  return `nothing heard of it for ${silence.seconds} s after beacon ${silence.beacon.no}`;
}
