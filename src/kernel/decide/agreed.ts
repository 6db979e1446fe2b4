// What follows when the votes are enough: the approval, and the grant to run the agent. Whoever signs the vote that
// completes the quorum signs these with it, in one transaction.
import { ANY_RUNNER } from '../grant/evolve.ts';
import { isSelfApproved, tally, type Ballot } from '../approval/voters.ts';
import type { Approval } from '../course/course.ts';
import { approvalReceipt } from './receipts.ts';
import { inAttempt, within, type Drafts, type InAttempt, type Names, underWay } from './about.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export type Agreeing = InAttempt & {
  readonly approval: string;
  readonly of: Pick<Approval, 'type' | 'digest' | 'votes' | 'expires_at' | 'request'>;
  readonly run: { readonly policy: string | null; readonly targets: readonly string[] };
};

/** Empty while somebody is missing or rejects. `mayGrant`: false where the grant waits; it is issued later. */
export function whenAgreed(ballot: Ballot, at: Agreeing, mayGrant: boolean, names: Names): Drafts {
  const { approval, of } = at;
  const { approving, rejecting, missing } = tally(ballot, of.votes);
  if (missing > 0 || rejecting.length > 0) return [];
  const granted: Drafts = [
    inAttempt('approval.granted', approval, at, {
      digest: of.digest,
      self_approved: isSelfApproved(ballot, approving),
      votes: approving.map(({ id }) => id),
    }),
    approvalReceipt(at, names('receipt approval'), {
      approval,
      request: of.request,
      policy: at.run.policy,
      result_code: 'succeeded',
      result_summary: 'approved',
    }),
  ];
  if (of.type === 'effects') return [...granted, within('task.unblocked', at.task, at.task, {})];
  const { policy, targets } = at.run;
  return mayGrant && policy !== null ? [...granted, runGrant({ ...at, run: { policy, targets } }, names)] : granted;
}

type Running = Omit<Agreeing, 'of' | 'run'> & {
  readonly run: { readonly policy: string; readonly targets: readonly string[] };
  readonly of: Pick<Approval, 'expires_at' | 'request'>;
};

export function runGrant({ approval, of, run, ...at }: Running, names: Names): Drafts[number] {
  return inAttempt('grant.issued', names('grant run'), at, {
    action_class: 'execute_command',
    action_request_ref: of.request,
    approval_ref: approval,
    expires_at: of.expires_at,
    issued_to_principal_id: ANY_RUNNER,
    max_uses: 1,
    policy_result_ref: run.policy,
    resource_scope: [...run.targets],
  });
}

// The grant that waited because another mission had a path, or somebody held this one: issued once that is over, under the same
// approval.
export function decideGrant(state: MissionState | undefined, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  const found = Object.entries(course.approvals).find(([, one]) => one.type === 'plan' && one.granted);
  if (found === undefined) return refuse('quorum_missing', { mission: at.value.mission });
  const [approval, of] = found;
  const asked = course.requests[of.request];
  const policy = asked?.policy ?? null;
  if (asked === undefined || policy === null) return refuse('action_unknown', { action_request: of.request });
  return accept([runGrant({ ...at.value, approval, of, run: { policy: policy.ref, targets: asked.targets } }, names)]);
}
