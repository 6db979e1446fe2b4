// How much can go wrong: a number per class, what adds to it, and the band people see. Integers only; decides nothing.
import type { ActionClass } from '../course/classes.ts';
import type { EventOf } from '../event.ts';

export type Reversibility = EventOf<'action.requested'>['payload']['reversibility_hint'];
export type RiskBand = EventOf<'policy.evaluated'>['payload']['risk'];

export const RISK_OF_CLASS: Readonly<Record<ActionClass, number>> = {
  read_local: 0,
  network_read: 1,
  write_local: 1,
  execute_command: 1,
  durable_memory_write: 1,
  delete_local: 2,
  vcs_mutation: 2,
  rollback: 2,
  network_write: 3,
  publication: 3,
  credentialed_api_call: 3,
  policy_override: 5,
  payment_or_spending: 6,
};

/** The least tier at which a class can be asked for at all: tier 0 reads. */
export const TIER_OF_CLASS: Readonly<Record<ActionClass, number>> = {
  read_local: 0,
  network_read: 0,
  execute_command: 0,
  write_local: 1,
  durable_memory_write: 1,
  delete_local: 1,
  vcs_mutation: 1,
  rollback: 1,
  network_write: 1,
  publication: 1,
  credentialed_api_call: 1,
  policy_override: 3,
  payment_or_spending: 3,
};

/** What cannot be taken back weighs more; what is not known is no comfort. */
const RISK_OF_HINT: Readonly<Record<Reversibility, number>> = {
  reversible: 0,
  partly_reversible: 1,
  unknown: 1,
  irreversible: 2,
};

export function riskBand(actionClass: ActionClass, hint: Reversibility, tier: number): RiskBand {
  const risk = RISK_OF_CLASS[actionClass] + RISK_OF_HINT[hint] + Math.max(0, tier - 1);
  if (risk <= 1) return 'low';
  if (risk <= 3) return 'moderate';
  return risk <= 4 ? 'high' : 'critical';
}
