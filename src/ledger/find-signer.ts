// Who may sign the next transaction: the roster in force, and the member behind a fingerprint if its key is valid there.
import type { Crypto } from '../format/crypto.ts';
import type { Event } from '../kernel/event.ts';
import { isBarred } from '../kernel/roster/barred.ts';
import { keyring, type RosterEntry } from '../kernel/roster/keyring.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { basisOf, type Authority } from './tip.ts';

/** The member and key behind a fingerprint, if it may sign now. */
export function findSigner(
  crypto: Crypto,
  tip: Authority,
  roster: Roster,
  fingerprint: string,
  cited: TreeHead | undefined,
): Verdict<RosterEntry> {
  const keys = keyring(crypto, roster);
  if (keys.is === 'refused') return keys;
  const entry = keys.value.get(fingerprint);
  if (entry === undefined) return refuse('signer_unknown', { fingerprint, roster: roster.n });
  const bars = tip.state ?? tip.parent?.state;
  if (bars !== undefined && isBarred(bars)(fingerprint)) return refuse('signer_cut_off', { fingerprint });
  const basis = basisOf(tip, cited);
  const { from, until } = entry.key;
  if (basis < from || (until !== null && basis >= until))
    return refuse('signer_outside_validity', { fingerprint, basis, from, until });
  return accept(entry);
}

/** The roster a transaction is judged by: the one before it, or the one that a project's first event brings. */
export function rosterInForce(tip: Authority, events: readonly Event[]): Roster | undefined {
  const before = tip.state?.roster ?? tip.parent?.state.roster;
  if (before !== undefined) return before;
  const first = events[0];
  return first?.event_type === 'project.opened' ? first.payload.roster : undefined;
}
