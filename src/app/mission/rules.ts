// The rules a mission is judged by: policy and sacred scopes as they stand at the base commit, and only if the project's
// ledger knows them by digest. A changed file counts from the moment the roots adopted it, on whatever branch it stands.
import { fromUtf8, hex } from '../../format/bytes.ts';
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import type { Policy } from '../../kernel/policy/profile.ts';
import type { SacredEntry } from '../../kernel/scope/sacred.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { POLICY_FILE } from '../base-part.ts';
import { fileAt } from './target.ts';
import { expectAccepted, projectState, type MissionWorld } from './world.ts';

type RecordedPolicy = NonNullable<ProjectState['policy']>;

export type Rules = {
  readonly policy: Policy;
  readonly revision: number;
  readonly sacred: readonly SacredEntry[];
};

/** Read once in a process: neither a commit nor a text of one digest ever changes. */
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

/** For a plan that is made now. A base that has another policy than the roots adopted will not have it by another plan. */
export async function rulesForPlan(world: MissionWorld, base: Oid): Promise<Rules> {
  try {
    return await rulesAt(world, base);
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== 'policy_drifted') throw cause;
    const { file, judged: found, planned: in_force } = cause.facts;
    throw new Failure('policy_not_in_force', { file: file!, base, found: found!, in_force: in_force! }, { cause });
  }
}

async function readRules(world: MissionWorld, base: Oid, inForce: RecordedPolicy): Promise<Rules> {
  // Reading YAML takes more program than all else of a plan: who only looks does without.
  const [{ readPolicyFile }, { readSacredFile }] = await Promise.all([
    import('../../documents/policy-file.ts'),
    import('../../documents/sacred-file.ts'),
  ]);
  const policyText = await textAt(world, base, POLICY_FILE, inForce.policy, 'policy_unreadable');
  const profile = expectAccepted(readPolicyFile(policyText, POLICY_FILE));
  const { sacred_file: sacredFile } = profile;
  const sacredText = await textAt(world, base, sacredFile, inForce.sacred, 'sacred_unreadable');
  return {
    policy: { profile, version: inForce.policy },
    revision: inForce.revision,
    sacred: expectAccepted(readSacredFile(sacredText, sacredFile)),
  };
}

async function textAt(
  { bench }: MissionWorld,
  base: Oid,
  file: string,
  expected: string,
  code: 'policy_unreadable' | 'sacred_unreadable',
): Promise<string> {
  const bytes = await fileAt(bench, base, file);
  if (bytes === undefined) throw new Failure(code, { file, base, why: 'is not there' });
  const found = `sha256:${hex(bench.parts.crypto.hash('sha256', bytes))}`;
  if (found !== expected) throw new Failure('policy_drifted', { file, base, judged: found, planned: expected });
  try {
    return fromUtf8(bytes);
  } catch {
    throw new Failure(code, { file, base, why: 'is not UTF-8' });
  }
}
