// What the project's ledger names as the cause of what it says of a mission: an event of the mission, sealed just before.
import type { FarCause } from '../kernel/envelope.ts';
import type { EventType } from '../kernel/event.ts';
import { LAID_BESIDE } from '../kernel/cause/memory.ts';
import { hex } from '../format/bytes.ts';
import type { Sealed } from '../ledger/transaction.ts';

/** The first of these that the transaction has; else the last event that moved something. */
const TELLING: readonly EventType[] = ['mission.ended', 'ledger.sealed', 'ledger.repaired', 'grant.issued'];

export function farCause({ tip, events, leaves }: Sealed): FarCause {
  const told = TELLING.map((type) => events.findLastIndex((event) => event.event_type === type));
  const moving = events.findLastIndex((event) => !LAID_BESIDE.has(event.event_type));
  const at = Math.max(0, told.find((i) => i >= 0) ?? moving);
  return { index: tip.size - events.length + at, leaf: hex(leaves[at]!), ledger_id: tip.state!.ledger_id };
}
