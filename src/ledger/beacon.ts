// A beacon: whoever holds the lease of an attempt says that it is still at work, signed and numbered, beside the ledger. Knows
// the bytes and whose word it is, not where beacons are kept; that there is none proves nothing.
import { z } from 'zod';
import { fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { statement } from '../format/openpgp/detached.ts';
import { Base64, Instant, KeyFingerprint, Uuid } from '../kernel/values.ts';
import type { BareTip } from './tip.ts';
import { whoEverSigned } from './who-signed.ts';

const Said = z.strictObject({
  at: Instant,
  attempt: Uuid,
  fence: z.int().min(1),
  mission: Uuid,
  no: z.int().min(1),
});
export type BeaconSaid = z.infer<typeof Said>;

const Beacon = z.lazy(() => Said.extend({ fingerprint: KeyFingerprint, signature: Base64.max(1024) }));
export type Beacon = z.infer<typeof Beacon>;

const BEACON_BYTES_MAX = 4096;

export function beaconStatement(said: BeaconSaid): Uint8Array {
  return statement('beacon', utf8(jcs(said)));
}

export function beaconBytes(beacon: Beacon): Uint8Array {
  return utf8(`${jcs(beacon)}\n`);
}

/** Undefined for whatever none of us wrote: anybody who can push may leave it there. */
export function readBeacon(body: Uint8Array): Beacon | undefined {
  if (body.length > BEACON_BYTES_MAX) return undefined;
  try {
    return Beacon.parse(parseCanonical(fromUtf8(body).trimEnd()));
  } catch {
    return undefined;
  }
}

/**
 * Who signed it, also under a key that the roster has ended meanwhile: whoever has that can hand nothing over any more, and
 * falls silent like any other.
 */
export function signerOfBeacon(crypto: Crypto, project: BareTip, beacon: Beacon): string | undefined {
  const { fingerprint, signature, ...said } = beacon;
  return whoEverSigned(crypto, project, { fingerprint, signature, bytes: beaconStatement(said) });
}
