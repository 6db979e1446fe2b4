// What somebody says beside a ledger, signed: one file of canonical JSON with its signature in it. Each kind names its fields,
// its purpose and whose key counts; what it means, and on which reference it lies, is known elsewhere.
import type { z } from 'zod';
import { fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { statement } from '../format/openpgp/detached.ts';
import { Base64, KeyFingerprint } from '../kernel/values.ts';
import type { BareTip } from './tip.ts';
import type { whoSigned } from './who-signed.ts';

/** Among the fields of every kind. */
export const SEAL = { fingerprint: KeyFingerprint, signature: Base64.max(1024) };
export type Sealed = { readonly fingerprint: string; readonly signature: string };

/** What is said, without who says it. */
export type Said<S extends Sealed> = Omit<S, keyof Sealed>;

export type SaidKind<S extends Sealed> = {
  /** Of its file, without the ending. */
  readonly name: string;
  /** What its signature is for, and for nothing else. */
  readonly purpose: string;
  readonly schema: z.ZodType<S>;
  readonly whose: typeof whoSigned;
};

const BYTES_MAX = 4096;

/** The bytes that are signed. */
export function saidStatement<S extends Sealed>({ purpose }: SaidKind<S>, said: Said<S>): Uint8Array {
  return statement(purpose, utf8(jcs(said)));
}

export function saidBytes(said: Sealed): Uint8Array {
  return utf8(`${jcs(said)}\n`);
}

/** Undefined for whatever none of us wrote: anybody who can push may leave it there. */
export function readSaid<T>(schema: z.ZodType<T>, body: Uint8Array): T | undefined {
  if (body.length > BYTES_MAX) return undefined;
  try {
    return schema.parse(parseCanonical(fromUtf8(body).trimEnd()));
  } catch {
    return undefined;
  }
}

/** The principal whose word it is; undefined where that key does not count for this kind. */
export function signerOf<S extends Sealed>(
  crypto: Crypto,
  project: BareTip,
  kind: SaidKind<S>,
  { fingerprint, signature, ...said }: S,
): string | undefined {
  return kind.whose(crypto, project, { fingerprint, signature, bytes: saidStatement(kind, said) });
}
