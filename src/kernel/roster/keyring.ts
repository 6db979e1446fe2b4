// From a fingerprint to the member and the parsed key of a roster. Parsed once per roster: verifying a ledger asks for
// the same few keys at every commit.
import { fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { parsePublicKey, userIdOf, type PublicKey } from '../../format/openpgp/public-key.ts';
import { Failure } from '../../failure.ts';
import { PUBLIC_KEY_BYTES_MAX } from '../limits.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { Member, Roster, RosterKey } from './roster.ts';

export type RosterEntry = { readonly member: Member; readonly key: RosterKey; readonly publicKey: PublicKey };
export type Keyring = ReadonlyMap<string, RosterEntry>;

const known = new WeakMap<Roster, Verdict<Keyring>>();

export function keyring(crypto: Crypto, roster: Roster): Verdict<Keyring> {
  let verdict = known.get(roster);
  if (verdict === undefined) {
    verdict = parseAll(crypto, roster);
    known.set(roster, verdict);
  }
  return verdict;
}

function parseAll(crypto: Crypto, roster: Roster): Verdict<Keyring> {
  const entries = new Map<string, RosterEntry>();
  for (const member of roster.members) {
    for (const key of member.keys) {
      const facts = { principal: member.principal_id, fingerprint: key.fingerprint };
      if (entries.has(key.fingerprint)) return refuse('roster_key_twice', facts);
      const bytes = fromBase64(key.public_key);
      if (bytes === undefined || bytes.length > PUBLIC_KEY_BYTES_MAX) return refuse('key_malformed', facts);
      try {
        const publicKey = parsePublicKey(bytes, crypto);
        if (publicKey.fingerprint !== key.fingerprint) return refuse('roster_key_mislabelled', facts);
        // No e-mail address may become permanent: the user id is derived, never the person's own.
        if (publicKey.userId !== userIdOf(member.principal_id, key.fingerprint))
          return refuse('roster_key_user_id', facts);
        entries.set(key.fingerprint, { member, key, publicKey });
      } catch (cause) {
        if (cause instanceof Failure) return refuse(cause.code, { ...cause.facts, ...facts });
        throw cause;
      }
    }
  }
  return accept(entries);
}
