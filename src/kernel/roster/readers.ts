// Whose encryption key is whose: each bound by a signing key of its own member, so that whoever signs rosters cannot have
// others encrypt to the wrong person. Nothing encrypts to them yet.
import { fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { parseEncryptionKey } from '../../format/openpgp/encryption-key.ts';
import { Failure } from '../../failure.ts';
import { PUBLIC_KEY_BYTES_MAX } from '../limits.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { Keyring } from './keyring.ts';
import type { Roster } from './roster.ts';

export function checkReaders(
  crypto: Crypto,
  roster: Roster,
  keys: Keyring,
  barred: (fingerprint: string) => boolean,
): Verdict<undefined> {
  const seen = new Set<string>();
  for (const { principal_id, keys: own, encrypt_to } of roster.members) {
    if (encrypt_to === undefined) continue;
    const facts = { principal: principal_id, fingerprint: encrypt_to.fingerprint };
    const bytes = fromBase64(encrypt_to.public_key);
    if (bytes === undefined || bytes.length > PUBLIC_KEY_BYTES_MAX) return refuse('key_malformed', facts);
    // What a stolen key bound, its thief reads.
    const binders = own
      .filter(({ fingerprint }) => !barred(fingerprint))
      .map(({ fingerprint }) => keys.get(fingerprint)!);
    try {
      const key = parseEncryptionKey(
        bytes,
        binders.map(({ publicKey }) => publicKey),
        crypto,
      );
      if (key.fingerprint !== encrypt_to.fingerprint) return refuse('roster_key_mislabelled', facts);
    } catch (cause) {
      if (cause instanceof Failure) return refuse(cause.code, { ...cause.facts, ...facts });
      throw cause;
    }
    if (seen.has(encrypt_to.fingerprint)) return refuse('roster_key_twice', facts);
    seen.add(encrypt_to.fingerprint);
  }
  return accept(undefined);
}
