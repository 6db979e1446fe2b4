// The item by which a project adopts its policy: the digests of two files, as they stand on the branch. A policy that
// cannot be read is not adopted, and a changed one only after a person has seen what changed.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { readPolicyFile } from '../../documents/policy-file.ts';
import { readSacredFile } from '../../documents/sacred-file.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import type { Submission } from '../ledger-session.ts';
import { fileDigest, keepRules } from '../rules-kept.ts';
import { unwrap } from '../unwrap.ts';
import { signerOf, type Identity } from './identity.ts';
import { countingBytes, POLICY_PATH, type PolicySource } from './policy-files.ts';
import { changesOf, type FileChange } from './policy-changes.ts';
import { isRoot, type Project } from './project.ts';
import type { Found, Item } from './items.ts';

export type PolicyRevision = { readonly revision: number; readonly changes: readonly FileChange[] };

/** The two files as they count on this branch, read. */
export type Rules = {
  readonly policy: string;
  readonly sacred: string;
  readonly sacredPath: string;
  readonly profile: string;
};

export type Adoption = {
  readonly project: Project;
  readonly person: Identity;
  /** Asked before one policy takes the place of another; throws when the person says no. */
  readonly agree: (revision: PolicyRevision) => Promise<void>;
};

export function policyItem(source: PolicySource, { project, person, agree }: Adoption): Item {
  const { crypto } = project.bench.parts;
  return {
    name: 'policy',
    title: 'policy in force',
    async look(): Promise<Found> {
      const state = await project.state();
      const found = await source.find(POLICY_PATH);
      const waitsFor = source.waitsFor?.();
      if (waitsFor !== undefined) return { is: 'differs', says: `waits for ${waitsFor}` };
      if (state === undefined || countingBytes(found) === undefined)
        return { is: 'absent', says: `revision ${revisionAfter(state)}` };
      const rules = unwrap(await rulesIn(crypto, source));
      if (isInForce(state, rules)) return { is: 'there', says: `revision ${state.policy!.revision}, ${rules.profile}` };
      return isRoot(state.roster, person)
        ? { is: 'absent', says: `revision ${revisionAfter(state)}, ${rules.profile}` }
        : {
            is: 'differs',
            says: `the files here are not the policy in force, and ${person.principal} is no root`,
            next: 'lazarus policy adopt, typed by a root',
          };
    },
    async act() {
      const rules = unwrap(await rulesIn(crypto, source));
      const state = (await project.state())!;
      const revision = revisionAfter(state);
      if (state.policy !== undefined) {
        const inForce = [
          { path: POLICY_PATH, digest: state.policy.policy },
          { path: rules.sacredPath, digest: state.policy.sacred },
        ];
        await agree({ revision, changes: await changesOf(crypto, source, inForce) });
      }
      const session = project.bench.session(PROJECT_REF, signerOf(person), await project.view());
      const texts = await Promise.all(
        [POLICY_PATH, rules.sacredPath].map(async (path) => countingBytes(await source.find(path))!),
      );
      const { policy: before } = state;
      const inForce = before === undefined ? [] : [before.policy, before.sacred];
      unwrap(
        await session.submit({
          ...revisePolicy(rules, revision),
          along: () => keepRules(project.bench, texts, inForce),
        }),
      );
      return `revision ${revision}, ${rules.profile}: ${rules.policy.slice(0, 'sha256:'.length + 12)}…`;
    },
  };
}

/** As they count; or as they are being written, for a check before they do. */
export async function rulesIn(
  crypto: Crypto,
  source: Pick<PolicySource, 'find'>,
  which: 'counting' | 'written' = 'counting',
): Promise<Verdict<Rules>> {
  const bytesOf = async (path: string): Promise<Uint8Array | undefined> => {
    const found = await source.find(path);
    return which === 'counting' ? countingBytes(found) : (found.inTree ?? found.committed);
  };
  const policy = await bytesOf(POLICY_PATH);
  const profile = readPolicyFile(textOf(policy), POLICY_PATH);
  if (profile.is === 'refused') return profile;
  const sacredPath = profile.value.sacred_file;
  const sacred = await bytesOf(sacredPath);
  const scopes = readSacredFile(textOf(sacred), sacredPath);
  if (scopes.is === 'refused') return scopes;
  return accept({
    policy: fileDigest(crypto, policy!),
    sacred: fileDigest(crypto, sacred!),
    sacredPath,
    profile: profile.value.profile,
  });
}

export function isInForce({ policy }: ProjectState, rules: Rules): boolean {
  return policy !== undefined && policy.policy === rules.policy && policy.sacred === rules.sacred;
}

/** What is no UTF-8 is no text that could be read: as good as not there. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes === undefined ? undefined : fromUtf8(bytes);
  } catch {
    return undefined;
  }
}

function revisionAfter(state: ProjectState | undefined): number {
  return (state?.policy?.revision ?? 0) + 1;
}

/** Refused when another policy was adopted since the person looked: what they agreed to replaced something else. */
function revisePolicy({ policy, sacred }: Rules, revision: number): Submission {
  return {
    decide: (state) => {
      if (state?.kind !== 'project') return refuse('ledger_not_opened');
      const id = state.project_id;
      const payload = { policy, revision, sacred };
      return accept([{ event_type: 'policy.revised', entity_type: 'project', entity_id: id, task_id: id, payload }]);
    },
  };
}
