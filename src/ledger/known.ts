// What the holder of a key verified of its project, left beside the ledgers for that key's own next start. Knows the bytes,
// and whether that very key signed them; nobody else believes a word of it.
import { z } from 'zod';
import { base64, fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { statement } from '../format/openpgp/detached.ts';
import { flawOf } from '../format/openpgp/signature.ts';
import { Failure } from '../failure.ts';
import { LEDGER_FORMAT } from '../kernel/limits.ts';
import { KeyFingerprint, TreeHead, Uuid } from '../kernel/values.ts';

/** As is any one thing that a clone keeps. */
export const KNOWN_BYTES_MAX = 8 * 1024 * 1024;
export const KNOWN_SIGNATURE_BYTES_MAX = 2048;

const Known = z.lazy(() =>
  z.strictObject({
    /** By the names that a clone keeps them under; what is in them, their own versions say. */
    folds: z.record(
      z.string().regex(/^[a-z0-9-]{1,40}$/),
      z.strictObject({ format: z.int(), head: TreeHead, value: z.unknown(), version: z.int() }),
    ),
    format: z.literal(LEDGER_FORMAT),
    pin: z.strictObject({
      format: z.int(),
      genesis_confirmed: z.boolean(),
      head: TreeHead,
      ledger_id: Uuid,
      project_genesis: z.string(),
      roster: z.strictObject({ digest: z.string(), n: z.int() }),
      signers: z.record(KeyFingerprint, z.tuple([z.int(), z.int()]).readonly()),
    }),
  }),
);
export type Known = z.infer<typeof Known>;

export type OwnKey = { readonly fingerprint: string; readonly ed25519: Uint8Array };

export function knownBytes({ folds, pin }: Omit<Known, 'format'>): Uint8Array {
  return utf8(`${jcs({ folds, format: LEDGER_FORMAT, pin })}\n`);
}

export function knownStatement(crypto: Crypto, bytes: Uint8Array): Uint8Array {
  return statement('known project', utf8(`sha256:${crypto.hashHex('sha256', bytes)}\n`));
}

export function knownSignature(packet: Uint8Array): Uint8Array {
  return utf8(`${base64(packet)}\n`);
}

/** Undefined for whatever this key did not sign, and for what another version of us wrote: anybody who can push may leave it there. */
export function readKnown(
  crypto: Crypto,
  own: OwnKey,
  { bytes, signature }: { readonly bytes: Uint8Array; readonly signature: Uint8Array },
): Known | undefined {
  if (bytes.length > KNOWN_BYTES_MAX || signature.length > KNOWN_SIGNATURE_BYTES_MAX) return undefined;
  try {
    const packet = fromUtf8(signature).trimEnd();
    const said = knownStatement(crypto, bytes);
    if (flawOf(crypto, packet, own.ed25519, own.fingerprint, said) !== undefined) return undefined;
    return Known.parse(parseCanonical(fromUtf8(bytes).trimEnd()));
  } catch (error) {
    if (error instanceof Failure || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
