// The spawn manifest `seed.spawn.v1`: what a seed is born with, its shape and its canonical bytes. Times and limits are
// part of what the parent signed, so nothing here is ever edited in place. Does not judge one: see verify-manifest.ts.
import { z } from 'zod';
import { utf8, hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { statement } from '../../format/openpgp/detached.ts';
import { Base64, Count, Instant, KeyFingerprint, RootHash, Slug, Uuid } from '../values.ts';

export const MANIFEST_BYTES_MAX = 64 * 1024;
const MANIFEST_TEXT_CHARACTERS_MAX = 2000;
const MANIFEST_LIST_MAX = 64;
/** Longest time a seed may be promised; longer work renews its manifest, which is signed anew. */
export const SEED_TTL_SECONDS_MAX = 24 * 60 * 60;

const Text = z
  .string()
  .max(MANIFEST_TEXT_CHARACTERS_MAX)
  .refine((text) => text.normalize('NFC') === text && !/[\p{Cc}\p{Cs}]/u.test(text));
const Named = Text.min(1);
const List = z.array(Named).max(MANIFEST_LIST_MAX);
const Hash = RootHash;

/** What a parent signs. Default deny: what no list of `capabilities` names is refused. */
export const UnsignedManifest = z.lazy(() =>
  z.strictObject({
    manifest_version: z.literal('seed.spawn.v1'),
    seed_id: Uuid,
    parent_seed_id: Uuid,
    anchor_id: Uuid,
    mode: z.enum(['ephemeral', 'durable']),
    role: Named,
    info_budget: z.strictObject({ scope: z.enum(['on-topic', 'exploratory']), notes: Text }),
    constraints: z.strictObject({ anchor_hash: Hash, parent_hash: Hash, policy_hash: Hash, extra: List }),
    capabilities: z.strictObject({ fs: List, net: List, shell: List, providers: List }),
    handoff_channel: z.enum(['trace', 'concept_inbox']),
    ttl: z.strictObject({ created_at: Instant, expires_at: Instant }),
    lineage: z.strictObject({
      install_id: Uuid,
      genesis_fingerprint: Hash,
      parent_key_fingerprint: KeyFingerprint,
    }),
    key_binding: z.strictObject({ child_key_fingerprint: KeyFingerprint, key_role: Named }),
    oep: z.strictObject({ version: Named, policy_profile: Named }),
    mission_id: Uuid,
    actor_id: Slug,
    policy: z.strictObject({ confidentiality: Named, redact: List }),
    resource_limits: z.strictObject({ max_tokens: Count, max_calls: Count, max_wallclock_seconds: Count }),
    runtime_context: z.strictObject({ host_id: Slug, namespace: Uuid }),
  }),
);
export type UnsignedManifest = z.infer<typeof UnsignedManifest>;

/** `symbikey:` is the specification's word; behind it stands an OpenPGP fingerprint. */
const SIGNER_PREFIX = 'symbikey:';
const Signer = z.string().refine((text) => KeyFingerprint.safeParse(signerFingerprint(text)).success);

export const SpawnManifest = z.lazy(() =>
  z.strictObject({
    ...UnsignedManifest.unwrap().shape,
    signature: z.strictObject({
      signer: Signer,
      algo: z.literal('ed25519'),
      payload_hash: Hash,
      /** A detached OpenPGP signature packet over `signedBytes`. */
      sig: Base64.max(MANIFEST_TEXT_CHARACTERS_MAX),
    }),
  }),
);
export type SpawnManifest = z.infer<typeof SpawnManifest>;

/** SHA-256 of the canonical manifest without its signature block, in hex. */
export function manifestHash(crypto: Crypto, manifest: UnsignedManifest | SpawnManifest): string {
  const { signature: _, ...unsigned } = manifest as SpawnManifest;
  return hex(crypto.hash('sha256', utf8(jcs(unsigned))));
}

/** What the parent's key signs: the purpose, then the payload hash, so that no other signature of that key can serve. */
export function signedBytes(payloadHash: string): Uint8Array {
  return statement('seed.spawn', utf8(payloadHash));
}

export function withSignature(
  manifest: UnsignedManifest,
  by: { readonly fingerprint: string; readonly payloadHash: string; readonly sig: string },
): SpawnManifest {
  const signature = {
    signer: `${SIGNER_PREFIX}${by.fingerprint}`,
    algo: 'ed25519' as const,
    payload_hash: by.payloadHash,
    sig: by.sig,
  };
  return { ...manifest, signature };
}

/** The fingerprint behind `symbikey:`, or nothing where that is not what stands there. */
export function signerFingerprint(signer: string): string | undefined {
  return signer.startsWith(SIGNER_PREFIX) ? signer.slice(SIGNER_PREFIX.length) : undefined;
}
