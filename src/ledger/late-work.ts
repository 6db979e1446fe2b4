// Work that came too late to be handed over: whoever held the lease of its attempt says which commit that was, signed, beside
// the ledger. Knows the bytes and whose word it is. Its signer can invent all of it; nothing rests on it.
import { z } from 'zod';
import { fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { statement } from '../format/openpgp/detached.ts';
import { Base64, Instant, KeyFingerprint, ObjectName, Uuid } from '../kernel/values.ts';
import type { BareTip } from './tip.ts';
import { whoSigned } from './who-signed.ts';

const Said = z.strictObject({
  at: Instant,
  attempt: Uuid,
  base: ObjectName,
  commit: ObjectName,
  fence: z.int().min(1),
  mission: Uuid,
});
export type LateWorkSaid = z.infer<typeof Said>;

const LateWork = z.lazy(() => Said.extend({ fingerprint: KeyFingerprint, signature: Base64.max(1024) }));
export type LateWork = z.infer<typeof LateWork>;

const BYTES_MAX = 4096;

export function lateWorkStatement(said: LateWorkSaid): Uint8Array {
  return statement('late work', utf8(jcs(said)));
}

export function lateWorkBytes(late: LateWork): Uint8Array {
  return utf8(`${jcs(late)}\n`);
}

/** Undefined for whatever none of us wrote: anybody who can push may leave it there. */
export function readLateWork(body: Uint8Array): LateWork | undefined {
  if (body.length > BYTES_MAX) return undefined;
  try {
    return LateWork.parse(parseCanonical(fromUtf8(body).trimEnd()));
  } catch {
    return undefined;
  }
}

/** Who signed it, if that key counts under this project now. */
export function signerOfLateWork(crypto: Crypto, project: BareTip, late: LateWork): string | undefined {
  const { fingerprint, signature, ...said } = late;
  return whoSigned(crypto, project, { fingerprint, signature, bytes: lateWorkStatement(said) });
}
