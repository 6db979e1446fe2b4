// Whose word a statement beside a ledger is: the member behind its signature, if that key counts in the project now, or did
// once. Knows neither what is said nor where it lies.
import type { Crypto } from '../format/crypto.ts';
import { flawOf } from '../format/openpgp/signature.ts';
import { isBarred } from '../kernel/roster/barred.ts';
import { keyring, type RosterEntry } from '../kernel/roster/keyring.ts';
import { findSigner } from './find-signer.ts';
import type { BareTip } from './tip.ts';

type Signed = { readonly fingerprint: string; readonly signature: string; readonly bytes: Uint8Array };

/** The principal; undefined for a key that is cut off, not valid now, or nobody's, and for a signature of something else. */
export function whoSigned(crypto: Crypto, project: BareTip, signed: Signed): string | undefined {
  if (project.state === undefined) return undefined;
  const signer = findSigner(crypto, project, project.state.roster, signed.fingerprint, undefined);
  return signer.is === 'refused' ? undefined : principalBehind(crypto, signer.value, signed);
}

/** The same, also by a key that the roster has ended: for what says something of a time in which it counted. */
export function whoEverSigned(crypto: Crypto, { state }: BareTip, signed: Signed): string | undefined {
  if (state === undefined || isBarred(state)(signed.fingerprint)) return undefined;
  const keys = keyring(crypto, state.roster);
  const entry = keys.is === 'refused' ? undefined : keys.value.get(signed.fingerprint);
  return entry === undefined ? undefined : principalBehind(crypto, entry, signed);
}

function principalBehind(
  crypto: Crypto,
  { member, publicKey }: RosterEntry,
  { fingerprint, signature, bytes }: Signed,
): string | undefined {
  const flaw = flawOf(crypto, signature, publicKey.ed25519, fingerprint, bytes);
  return flaw === undefined ? member.principal_id : undefined;
}
