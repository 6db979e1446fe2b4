// Which signer role may sign which event, and in which kind of ledger it may stand. Append and verify ask here; the
// answers stand with the event types, in their nouns.
import { PLACES, type EventType } from './event.ts';
import type { LedgerKind } from './traits.ts';
import type { Role } from './principal.ts';

export function mayStandIn(type: EventType, kind: LedgerKind): boolean {
  return PLACES[type].in.includes(kind);
}

export function maySign(type: EventType, roles: readonly Role[]): boolean {
  return PLACES[type].by.some((role) => roles.includes(role));
}
