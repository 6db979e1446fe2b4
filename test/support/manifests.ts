// Spawn manifests for tests, signed by a key that anybody can make.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { base64, utf8 } from '../../src/format/bytes.ts';
import { jcs } from '../../src/format/jcs.ts';
import { parsePublicKey } from '../../src/format/openpgp/public-key.ts';
import { parseSignature, verifySignature } from '../../src/format/openpgp/signature.ts';
import { manifestHash, signedBytes, withSignature, type UnsignedManifest } from '../../src/kernel/seed/manifest.ts';
import {
  verifyManifest,
  type ManifestExpectations,
  type VerifiedManifest,
} from '../../src/kernel/seed/verify-manifest.ts';
import { KEYS_MADE_AT_SECONDS, testKey, type TestKey } from './people.ts';

export const parent = testKey('runner');
const child = testKey('agent');
const HASH = 'a'.repeat(64);

export function unsignedManifest(cellId: string, changes: Partial<UnsignedManifest> = {}): UnsignedManifest {
  return {
    manifest_version: 'seed.spawn.v1',
    seed_id: '11111111-1111-4111-8111-111111111111',
    parent_seed_id: '22222222-2222-4222-8222-222222222222',
    anchor_id: '33333333-3333-4333-8333-333333333333',
    mode: 'ephemeral',
    role: 'docs.indexer',
    info_budget: { scope: 'on-topic', notes: '' },
    constraints: { anchor_hash: HASH, parent_hash: HASH, policy_hash: HASH, extra: [] },
    capabilities: { fs: ['project'], net: [], shell: ['sh'], providers: [] },
    handoff_channel: 'trace',
    ttl: { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-01T04:00:00.000Z' },
    lineage: {
      install_id: '44444444-4444-4444-8444-444444444444',
      genesis_fingerprint: HASH,
      parent_key_fingerprint: parent.fingerprint,
    },
    key_binding: { child_key_fingerprint: child.fingerprint, key_role: 'seed_ephemeral' },
    oep: { version: '1', policy_profile: 'default' },
    mission_id: '33333333-3333-4333-8333-333333333333',
    actor_id: 'ana',
    policy: { confidentiality: 'internal', redact: [] },
    resource_limits: { max_tokens: 0, max_calls: 0, max_wallclock_seconds: 14_400 },
    runtime_context: { host_id: 'runner', namespace: cellId },
    ...changes,
  };
}

export async function signedManifest(manifest: UnsignedManifest, key: TestKey = parent): Promise<Uint8Array> {
  const payloadHash = manifestHash(nodeCrypto, manifest);
  const packet = await key.sign(signedBytes(payloadHash), KEYS_MADE_AT_SECONDS);
  const by = { fingerprint: key.fingerprint, payloadHash, sig: base64(packet) };
  return utf8(jcs(withSignature(manifest, by)));
}

export function expectations(cellId: string, changes: Partial<ManifestExpectations> = {}): ManifestExpectations {
  const { lineage, mission_id, constraints, capabilities, runtime_context } = unsignedManifest(cellId);
  return {
    ...lineage,
    mission_id,
    constraints,
    host_id: runtime_context.host_id,
    namespace: cellId,
    ceiling: capabilities,
    now: '2026-01-01T00:00:01.000Z',
    ...changes,
  };
}

export function verifyBy(key: TestKey) {
  return (bytes: Uint8Array, packet: Uint8Array, fingerprint: string): boolean => {
    if (fingerprint !== key.fingerprint) return false;
    const { ed25519 } = parsePublicKey(key.publicKey, nodeCrypto);
    return verifySignature(nodeCrypto, parseSignature(packet), ed25519, fingerprint, bytes) === undefined;
  };
}

/** Good for the next hour. */
export async function freshManifest(
  cellId: string,
  resource_limits = unsignedManifest(cellId).resource_limits,
): Promise<VerifiedManifest> {
  const now = Date.now();
  const ttl = { created_at: instant(now), expires_at: instant(now + 3_600_000) };
  const bytes = await signedManifest(unsignedManifest(cellId, { ttl, resource_limits }));
  const verdict = verifyManifest(nodeCrypto, bytes, expectations(cellId, { now: instant(now) }), verifyBy(parent));
  if (verdict.is === 'refused') throw new Error(`the test manifest was refused: ${verdict.code}`);
  return verdict.value;
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
