// The rules a mission is judged by: policy and sacred scopes that the roots adopted, by digest, as they stand at the base
// commit or, where that has others, as they were kept when they were adopted. A changed file counts from the moment the roots
// adopted it, on whatever branch it stands.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { isUnderPolicy, type Plan } from '../../kernel/course/plan.ts';
import type { Policy } from '../../kernel/policy/profile.ts';
import type { SacredEntry } from '../../kernel/scope/sacred.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { POLICY_FILE } from '../base-part.ts';
import { fileDigest, keptRule } from '../rules-kept.ts';
import { fileAt } from './target.ts';
import { expectAccepted, projectState, type MissionWorld } from './world.ts';

type RecordedPolicy = NonNullable<ProjectState['policy']>;

export type Rules = {
  readonly policy: Policy;
  readonly revision: number;
  readonly sacred: readonly SacredEntry[];
  /** Whether the base has another policy, which nobody adopted: who wrote for that one misses what it would allow. */
  readonly isOtherAtBase: () => Promise<boolean>;
};

/** Those that a plan was made under; throws `policy_drifted` where others are in force now. */
export async function rulesOf(world: MissionWorld, plan: Pick<Plan, 'base_commit' | 'policy'>): Promise<Rules> {
  const { digest, revision } = plan.policy;
  const { policy: now } = projectState(world);
  if (now !== undefined && !isUnderPolicy(plan, now))
    throw new Failure('policy_drifted', { planned: digest, revision, judged: now.policy, now: now.revision });
  return rulesAt(world, plan.base_commit);
}

/** Those in force now. Read once in a process: neither a commit nor a text of one digest ever changes. */
export async function rulesAt(world: MissionWorld, base: Oid): Promise<Rules> {
  const { policy: inForce } = projectState(world);
  if (inForce === undefined) throw new Failure('policy_unreadable', { file: POLICY_FILE, why: 'none was recorded' });
  const name = [base, inForce.revision, inForce.policy, inForce.sacred].join(' ');
  const rules = world.rules.get(name) ?? readRules(world, base, inForce);
  world.rules.set(name, rules);
  // What could not be read is looked for again.
  rules.catch(() => world.rules.delete(name));
  return rules;
}

async function readRules(world: MissionWorld, base: Oid, inForce: RecordedPolicy): Promise<Rules> {
  // Reading YAML takes more program than all else of a plan: who only looks does without.
  const [{ readPolicyFile }, { readSacredFile }] = await Promise.all([
    import('../../documents/policy-file.ts'),
    import('../../documents/sacred-file.ts'),
  ]);
  const policy = await textAt(world, base, POLICY_FILE, inForce.policy, 'policy_unreadable');
  const profile = expectAccepted(readPolicyFile(policy.text, POLICY_FILE));
  const { sacred_file: sacredFile } = profile;
  const sacred = await textAt(world, base, sacredFile, inForce.sacred, 'sacred_unreadable');
  return {
    policy: { profile, version: inForce.policy },
    revision: inForce.revision,
    sacred: expectAccepted(readSacredFile(sacred.text, sacredFile)),
    isOtherAtBase: async () => (await Promise.all([policy.isAtBase, sacred.isAtBase])).includes(false),
  };
}

type Text = { readonly text: string; readonly isAtBase: Promise<boolean> };

/** Looked for in both places at once: where it was kept a job of a forge has it with its first answer, and not the base's. */
async function textAt(
  { bench }: MissionWorld,
  base: Oid,
  file: string,
  expected: string,
  code: 'policy_unreadable' | 'sacred_unreadable',
): Promise<Text> {
  const { crypto } = bench.parts;
  const found = fileAt(bench, base, file).then((bytes) => bytes && { bytes, digest: fileDigest(crypto, bytes) });
  const isAtBase = found.then((at) => at?.digest === expected);
  // Told to whoever asks for it.
  isAtBase.catch(() => undefined);
  const kept = await keptRule(bench, expected);
  const atBase = kept === undefined ? await found : undefined;
  const bytes = kept ?? (atBase?.digest === expected ? atBase.bytes : undefined);
  if (bytes === undefined && atBase === undefined) throw new Failure(code, { file, base, why: 'is not there' });
  if (bytes === undefined)
    throw new Failure('policy_not_in_force', { file, base, found: atBase!.digest, in_force: expected });
  try {
    return { text: fromUtf8(bytes), isAtBase };
  } catch {
    throw new Failure(code, { file, base, why: 'is not UTF-8' });
  }
}
