// What may still be said of a mission that has ended: what comes in, the keeping and erasing of artifacts, and what concerns
// the ledger itself. Everything else is new work, and new work is a new mission.
import type { EventType } from '../event.ts';

const AFTERCARE: ReadonlySet<EventType> = new Set<EventType>([
  'ingress.recorded',
  // The words that came in, and the erasing of any.
  'artifact.recorded',
  'artifact.erased',
  'roster.adopted',
  'cut_off.adopted',
  'trust.annotated',
  'ledger.repaired',
  'ledger.sealed',
]);

export function isAftercare(type: EventType): boolean {
  return AFTERCARE.has(type);
}
