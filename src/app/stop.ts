// Stopping a project, and letting it go on: by roots, and by persons where the policy in force says so. Policy is the use
// case's to ask; what the ledger lets a person sign whatever policy says stands in the threat model.
import { fromUtf8 } from '../format/bytes.ts';
import { readPolicyFile } from '../documents/policy-file.ts';
import { within } from '../kernel/decide/about.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { ProjectState } from '../kernel/state.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import type { Signer } from '../ports/keys.ts';
import type { ProjectView } from './adoption.ts';
import { countingBytes, POLICY_PATH, type PolicySource } from './init/policy-files.ts';
import { fileDigest } from './rules-kept.ts';
import type { Landed } from './ledger-session.ts';
import type { Workbench } from './workbench.ts';

export type Halting = {
  readonly event: 'halt.declared' | 'halt.lifted';
  readonly signer: Signer;
  /** Verified; the stop goes on from there. */
  readonly project: ProjectView;
  /** Where the text of the policy is looked for; only for a person who is no root. */
  readonly source: () => Promise<PolicySource>;
};

export async function halt(bench: Workbench, { event, signer, project, source }: Halting): Promise<Verdict<Landed>> {
  const state = project.tip.state as ProjectState;
  const judged = isRoot(memberOf(state, signer)) ? undefined : state.policy?.policy;
  if (!isRoot(memberOf(state, signer))) {
    const allowed = await checkPolicy(bench, state, await source());
    if (allowed.is === 'refused') return allowed;
  }
  return bench.session(PROJECT_REF, signer, project).submit({
    decide: (now) => {
      if (now?.kind !== 'project') return refuse('ledger_not_opened');
      // Another policy, or another roster, since it was looked at.
      if (!isRoot(memberOf(now, signer)) && now.policy?.policy !== judged)
        return refuse('policy_drifted', { judged: judged ?? 'none', now: now.policy?.policy ?? 'none' });
      return accept([within(event, now.project_id, now.project_id, {})]);
    },
  });
}

/** Read only if it is the one that the roots adopted, byte for byte. */
async function checkPolicy(
  bench: Workbench,
  { policy }: ProjectState,
  source: PolicySource,
): Promise<Verdict<undefined>> {
  if (policy === undefined) return refuse('policy_unreadable', { file: POLICY_PATH, why: 'none was recorded' });
  const bytes = countingBytes(await source.find(POLICY_PATH));
  if (bytes === undefined) return refuse('policy_unreadable', { file: POLICY_PATH, why: 'is not there' });
  const found = fileDigest(bench.parts.crypto, bytes);
  if (found !== policy.policy)
    return refuse('policy_drifted', { file: POLICY_PATH, here: found, in_force: policy.policy });
  const profile = readPolicyFile(fromUtf8(bytes), POLICY_PATH);
  if (profile.is === 'refused') return profile;
  return profile.value.persons_may_stop
    ? accept(undefined)
    : refuse('halt_needs_root', { policy: policy.revision, key: 'persons_may_stop' });
}

function memberOf({ roster }: ProjectState, { fingerprint }: Signer): Member | undefined {
  return roster.members.find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint));
}

function isRoot(member: Member | undefined): boolean {
  return member?.roles.includes('root') === true;
}
