// A seed's birth certificate: the manifest, signed by whoever supervises, and verified like a stranger's before anything
// is launched under it. What it may expect comes from the ledger and this machine, never from the manifest.
import { pathsOf, type Plan } from '../../kernel/course/plan.ts';
import { base64, utf8, hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { parseSignature, verifySignature } from '../../format/openpgp/signature.ts';
import { keyring } from '../../kernel/roster/keyring.ts';
import { manifestHash, signedBytes, withSignature, type UnsignedManifest } from '../../kernel/seed/manifest.ts';
import {
  verifyManifest,
  type ManifestExpectations,
  type VerifiedManifest,
  type VerifySignature,
} from '../../kernel/seed/verify-manifest.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { hostWord } from '../../kernel/network/hosts.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Signer } from '../../ports/keys.ts';
import { expectAccepted, instant, MINUTE_SECONDS, type Acting } from './world.ts';
import { Failure } from '../../failure.ts';
import { objectId } from '../../format/git/object.ts';

export type Newborn = {
  readonly cell: string;
  readonly seed: string;
  readonly child: Signer;
  /** SHA-256 of the mission's first commit: a mission's own seeds descend from it. */
  readonly genesisHash: string;
  readonly profile: string;
  readonly document: Pick<PlanDocument, 'agent' | 'routes'>;
};

export type BirthCertificate = { readonly bytes: Uint8Array; readonly verified: VerifiedManifest };

export async function certifyBirth(acting: Acting, state: MissionState, newborn: Newborn): Promise<BirthCertificate> {
  const { world, signer } = acting;
  const { crypto, clock } = world.bench.parts;
  const manifest = manifestOf(acting, state, newborn);
  const payloadHash = manifestHash(crypto, manifest);
  const sig = base64(await signer.sign(signedBytes(payloadHash), clock.nowSeconds()));
  const bytes = utf8(jcs(withSignature(manifest, { fingerprint: signer.fingerprint, payloadHash, sig })));
  const expected = expectations(acting, state, newborn);
  return { bytes, verified: expectAccepted(verifyManifest(crypto, bytes, expected, byRoster(crypto, state))) };
}

function manifestOf({ world, signer, principal }: Acting, state: MissionState, newborn: Newborn): UnsignedManifest {
  const plan = state.course!.plan!;
  const genesis = hexOf(state.project_genesis);
  return {
    manifest_version: 'seed.spawn.v1',
    seed_id: newborn.seed,
    parent_seed_id: state.ledger_id,
    anchor_id: state.ledger_id,
    mode: 'ephemeral',
    role: 'executor',
    info_budget: { scope: 'on-topic', notes: '' },
    constraints: { ...constraintsOf(plan, newborn), extra: [] },
    capabilities: capabilitiesOf(plan, newborn),
    handoff_channel: 'trace',
    ttl: { created_at: instant(world), expires_at: instant(world, plan.ttl_minutes * MINUTE_SECONDS) },
    lineage: {
      install_id: state.project_id,
      genesis_fingerprint: genesis,
      parent_key_fingerprint: signer.fingerprint,
    },
    key_binding: { child_key_fingerprint: newborn.child.fingerprint, key_role: 'seed_ephemeral' },
    oep: { version: '1', policy_profile: newborn.profile },
    mission_id: state.ledger_id,
    actor_id: principal,
    policy: { confidentiality: 'internal', redact: [] },
    resource_limits: { ...routeLimits(newborn), max_wallclock_seconds: plan.budget_minutes * MINUTE_SECONDS },
    runtime_context: { host_id: principal, namespace: newborn.cell },
  };
}

function expectations(
  { world, signer, principal }: Acting,
  state: MissionState,
  newborn: Newborn,
): ManifestExpectations {
  const plan = state.course!.plan!;
  return {
    install_id: state.project_id,
    genesis_fingerprint: hexOf(state.project_genesis),
    parent_key_fingerprint: signer.fingerprint,
    mission_id: state.ledger_id,
    host_id: principal,
    namespace: newborn.cell,
    constraints: constraintsOf(plan, newborn),
    ceiling: capabilitiesOf(plan, newborn),
    now: instant(world),
  };
}

function constraintsOf(plan: Plan, { genesisHash }: Newborn): ManifestExpectations['constraints'] {
  return { anchor_hash: plan.plan_digest, parent_hash: genesisHash, policy_hash: hexOf(plan.policy.digest) };
}

/** Hosts and providers that the plan names; inside its cell an agent uses tools freely, and its files are those of the plan. */
function capabilitiesOf(plan: Plan, { document: { agent } }: Newborn): UnsignedManifest['capabilities'] {
  return { fs: [...pathsOf(plan)], net: agent.hosts.map(hostWord), shell: ['cell'], providers: [...agent.routes] };
}

/** Of all its routes together; 0 where there is none. A route without a limit on tokens has the one on calls. */
function routeLimits({ document }: Newborn): Pick<UnsignedManifest['resource_limits'], 'max_tokens' | 'max_calls'> {
  const routes = Object.values(document.routes);
  const sum = (of: (route: (typeof routes)[number]) => number): number => routes.reduce((all, one) => all + of(one), 0);
  return { max_tokens: sum(({ max_tokens }) => max_tokens ?? 0), max_calls: sum(({ max_calls }) => max_calls) };
}

function byRoster(crypto: Crypto, { roster }: MissionState): VerifySignature {
  const keys = expectAccepted(keyring(crypto, roster));
  return (bytes, packet, fingerprint) => {
    const entry = keys.get(fingerprint);
    if (entry === undefined) return false;
    return verifySignature(crypto, parseSignature(packet), entry.publicKey.ed25519, fingerprint, bytes) === undefined;
  };
}

function hexOf(digest: string): string {
  return digest.replace(/^sha256:/, '');
}

// The first commit of a mission's ledger: what its seeds descend from. The verified tip names it; no history is walked.

/** What a mission's own seeds name as their parent's hash. */
export async function genesisHash({ world, desk }: Acting): Promise<string> {
  const { crypto, repository } = world.bench.parts;
  const oid = await desk.genesis();
  for await (const { type, body } of repository.read([oid])) {
    if (objectId(crypto, type, body) !== oid) throw new Failure('object_corrupt', { oid });
    return hex(crypto.hash('sha256', body));
  }
  throw new Failure('object_missing', { oid });
}
