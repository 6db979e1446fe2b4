// Whether a spawn manifest may give birth to a seed: signed by the parent we expect, of this project, alive now, and
// asking for no more than is allowed. Pure: time, keys and expectations are arguments. Launches nothing.
import { fromBase64, fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { parseCanonical } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import { secondsBetween } from '../time.ts';
import { accept, refuse, type Refused, type Verdict } from '../verdict.ts';
import {
  MANIFEST_BYTES_MAX,
  SEED_TTL_SECONDS_MAX,
  manifestHash,
  signedBytes,
  signerFingerprint,
  SpawnManifest,
} from './manifest.ts';

const KINDS = ['fs', 'net', 'shell', 'providers'] as const;
type CapabilityKind = (typeof KINDS)[number];

/** What a manifest has to agree with; everything here comes from the ledger or this machine, never from the manifest. */
export type ManifestExpectations = {
  readonly install_id: string;
  readonly genesis_fingerprint: string;
  readonly parent_key_fingerprint: string;
  readonly mission_id: string;
  readonly host_id: string;
  /** The id of the cell that the seed is to live in. */
  readonly namespace: string;
  readonly constraints: { readonly anchor_hash: string; readonly parent_hash: string; readonly policy_hash: string };
  /** The most that may be asked for, kind by kind. */
  readonly ceiling: Readonly<Record<CapabilityKind, readonly string[]>>;
  /** Now, as in `ttl`: UTC with milliseconds. */
  readonly now: string;
};

/** True only for a good signature over `bytes` by the key with this fingerprint. */
export type VerifySignature = (bytes: Uint8Array, signature: Uint8Array, fingerprint: string) => boolean;

declare const verified: unique symbol;
/** Only `verifyManifest` makes one: a cell cannot be asked to start under a manifest that nobody checked. */
export type VerifiedManifest = {
  readonly manifest: SpawnManifest;
  readonly payloadHash: string;
  readonly [verified]: true;
};

/** Parses the canonical text of a manifest and judges it. */
export function verifyManifest(
  crypto: Crypto,
  bytes: Uint8Array,
  expected: ManifestExpectations,
  verify: VerifySignature,
): Verdict<VerifiedManifest> {
  const parsed = parse(bytes);
  if (parsed.is === 'refused') return parsed;
  const manifest = parsed.value;
  const payloadHash = manifestHash(crypto, manifest);
  const refused =
    wrongSignature(manifest, payloadHash, expected, verify) ??
    wrongPlace(manifest, expected) ??
    wrongTime(manifest, expected.now) ??
    tooMuch(manifest, expected);
  return refused ?? accept({ manifest, payloadHash } as VerifiedManifest);
}

function parse(bytes: Uint8Array): Verdict<SpawnManifest> {
  if (bytes.length > MANIFEST_BYTES_MAX) return refuse('manifest_malformed', { bytes_max: MANIFEST_BYTES_MAX });
  let value: unknown;
  try {
    value = parseCanonical(fromUtf8(bytes));
  } catch (cause) {
    return refuse('manifest_malformed', { why: cause instanceof Failure ? cause.code : 'not_utf8' });
  }
  const read = SpawnManifest.safeParse(value);
  if (read.success) return accept(read.data);
  return refuse('manifest_malformed', { at: read.error.issues[0]?.path.map(String).join('.') ?? '' });
}

function wrongSignature(
  { signature, lineage }: SpawnManifest,
  payloadHash: string,
  expected: ManifestExpectations,
  verify: VerifySignature,
): Refused | undefined {
  if (signature.payload_hash !== payloadHash) return refuse('manifest_tampered', { payload_hash: payloadHash });
  const signer = signerFingerprint(signature.signer) ?? '';
  // Both are compared with the parent we know: a manifest that names its own signer as parent proves nothing.
  if (signer !== expected.parent_key_fingerprint || lineage.parent_key_fingerprint !== signer)
    return refuse('manifest_signer_wrong', { signer, expected: expected.parent_key_fingerprint });
  const packet = fromBase64(signature.sig);
  return packet !== undefined && isGood(() => verify(signedBytes(payloadHash), packet, signer))
    ? undefined
    : refuse('manifest_signature_bad', { signer });
}

/** A packet that cannot even be read is a bad signature, not a broken world. */
function isGood(verify: () => boolean): boolean {
  try {
    return verify();
  } catch (cause) {
    if (cause instanceof Failure) return false;
    throw cause;
  }
}

function wrongPlace(manifest: SpawnManifest, expected: ManifestExpectations): Refused | undefined {
  const { lineage, constraints, runtime_context: context } = manifest;
  const pairs: readonly (readonly [string, string, string])[] = [
    ['lineage.install_id', lineage.install_id, expected.install_id],
    ['lineage.genesis_fingerprint', lineage.genesis_fingerprint, expected.genesis_fingerprint],
    ['anchor_id', manifest.anchor_id, expected.mission_id],
    ['mission_id', manifest.mission_id, expected.mission_id],
    ['constraints.anchor_hash', constraints.anchor_hash, expected.constraints.anchor_hash],
    ['constraints.parent_hash', constraints.parent_hash, expected.constraints.parent_hash],
    ['constraints.policy_hash', constraints.policy_hash, expected.constraints.policy_hash],
    ['runtime_context.host_id', context.host_id, expected.host_id],
    ['runtime_context.namespace', context.namespace, expected.namespace],
  ];
  const wrong = pairs.find(([, is, should]) => is !== should);
  return wrong === undefined ? undefined : refuse('manifest_elsewhere', { field: wrong[0], expected: wrong[2] });
}

function wrongTime({ ttl }: SpawnManifest, now: string): Refused | undefined {
  // Instants have one spelling, so their order is that of their texts.
  if (ttl.expires_at <= ttl.created_at) return refuse('manifest_ttl_invalid', { ...ttl });
  if (secondsBetween(ttl.created_at, ttl.expires_at) > SEED_TTL_SECONDS_MAX)
    return refuse('manifest_ttl_invalid', { ...ttl, seconds_max: SEED_TTL_SECONDS_MAX });
  if (now >= ttl.expires_at) return refuse('manifest_expired', { expires_at: ttl.expires_at, now });
  if (secondsBetween(now, ttl.created_at) > CLOCK_SKEW_SECONDS_MAX)
    return refuse('manifest_not_yet_valid', { created_at: ttl.created_at, now });
  return undefined;
}

/** The stated maximum between two machines' clocks. */
const CLOCK_SKEW_SECONDS_MAX = 10;

function tooMuch({ capabilities }: SpawnManifest, { ceiling }: ManifestExpectations): Refused | undefined {
  for (const kind of KINDS) {
    const beyond = capabilities[kind].filter((asked) => !ceiling[kind].includes(asked));
    if (beyond.length > 0) return refuse('manifest_capability_beyond', { kind, asked: beyond });
  }
  return undefined;
}
