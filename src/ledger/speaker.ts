// Whom an event inside a transaction is judged as. The signer was looked up under the roster before the transaction;
// once an event of it brings another roster or cut-off into force, the events behind it are judged by that one.
import type { Crypto } from '../format/crypto.ts';
import { typesThat, type Event } from '../kernel/event.ts';
import type { RosterEntry } from '../kernel/roster/keyring.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import { findSigner } from './find-signer.ts';
import type { BareTip } from './tip.ts';

/** Whoever is leaving may still carry them in, and nothing behind them. */
const CARRIED = typesThat('carried');

export function speakerOf(
  crypto: Crypto,
  tip: BareTip,
  { state, event }: { readonly state: State | undefined; readonly event: Event },
  signer: RosterEntry,
  cited: TreeHead | undefined,
): Verdict<Member> {
  const before = tip.state ?? tip.parent?.state;
  const isSame = before?.roster === state?.roster && before?.cut_offs === state?.cut_offs;
  if (state === undefined || isSame || CARRIED.has(event.event_type)) return accept(signer.member);
  const { kind, size } = tip;
  const now = findSigner(crypto, { kind, size, state, parent: undefined }, state.roster, signer.key.fingerprint, cited);
  return now.is === 'refused' ? now : accept(now.value.member);
}
