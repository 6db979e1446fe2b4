// Detached signatures of several roots over one document: a roster, a cut-off, a repair, a seal, an annotation.
// Counts persons, not keys: one person with two keys is one vote.
import { z } from 'zod';
import { utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { statement } from '../../format/openpgp/detached.ts';
import { flawOf } from '../../format/openpgp/signature.ts';
import { SIGNATURES_MAX } from '../limits.ts';
import { Base64, KeyFingerprint } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { keyring } from './keyring.ts';
import { personOf, type Roster } from './roster.ts';

export const RootSignature = z.strictObject({ fingerprint: KeyFingerprint, signature: Base64.max(1024) });
export type RootSignature = z.infer<typeof RootSignature>;

/** Sorted by fingerprint, so that one set of signatures has one spelling. */
export const RootSignatures = z.array(RootSignature).min(1).max(SIGNATURES_MAX);

export type Purpose = 'roster' | 'cut-off' | 'repair' | 'seal' | 'annotation' | 'cosign';

/** The bytes that are signed: a context line first, so that no signature can be used for another purpose. */
export function statementBytes(purpose: Purpose, document: unknown): Uint8Array {
  return statement(purpose, utf8(jcs(document)));
}

export type Signed = {
  readonly purpose: Purpose;
  readonly document: unknown;
  readonly signatures: readonly RootSignature[];
  readonly basis: number;
  /**
   * Missions: the basis of the transaction before. A mission adopts a roster some time after the project made it, when
   * a key that signed it may have ended: one that was valid anywhere in between counts. Whoever could exploit that can
   * cite the earlier head as well.
   */
  readonly since?: number | undefined;
};

/** Accepted with the number of persons when enough of the roster's roots signed; `barred` keys do not count. */
export function checkThreshold(
  crypto: Crypto,
  roster: Roster,
  barred: (fingerprint: string) => boolean,
  signed: Signed,
): Verdict<number> {
  const keys = keyring(crypto, roster);
  if (keys.is === 'refused') return keys;
  const bytes = statementBytes(signed.purpose, signed.document);
  const persons = new Set<string>();
  let previous = '';
  for (const { fingerprint, signature } of signed.signatures) {
    if (fingerprint <= previous) return refuse('threshold_not_canonical', { fingerprint });
    previous = fingerprint;
    const entry = keys.value.get(fingerprint);
    if (entry === undefined || !entry.member.roles.includes('root'))
      return refuse('threshold_signer_not_root', { fingerprint });
    const { from, until } = entry.key;
    const since = signed.since ?? signed.basis;
    if (barred(fingerprint) || signed.basis < from || (until !== null && since >= until))
      return refuse('threshold_signer_outside_validity', { fingerprint, basis: signed.basis });
    const flaw = flawOf(crypto, signature, entry.publicKey.ed25519, fingerprint, bytes);
    if (flaw !== undefined) return refuse('threshold_signature_invalid', { fingerprint, flaw });
    persons.add(personOf(entry.member));
  }
  if (persons.size < roster.threshold)
    return refuse('threshold_not_met', {
      persons: persons.size,
      signatures: signed.signatures.length,
      threshold: roster.threshold,
    });
  return accept(persons.size);
}
