// What follows when the votes are enough: the approval, and the grant to run the agent. Whoever signs the vote that
// completes the quorum signs these with it, in one transaction.
import { currentApproval, openQuestion } from '../approval/standing.ts';
import { ballotOf, isSelfApproved, SIGNED_TIER, tally, type Ballot } from '../approval/voters.ts';
import { runRequest, type Approval, type Course } from '../course/course.ts';
import { ANY_RUNNER } from '../grant/evolve.ts';
import { approvalReceipt } from './receipts.ts';
import { inAttempt, within, type Drafts, type InAttempt, type Names, type UnderWay, underWay } from './about.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export type Agreeing = InAttempt & {
  readonly approval: string;
  readonly of: Pick<Approval, 'type' | 'digest' | 'votes' | 'expires_at' | 'request'>;
  /** What policy said to what the question was about. */
  readonly policy: string | null;
  /** What is granted with it; undefined where nothing is, or that waits. */
  readonly run: Run | undefined;
};

/** The request of the attempt at hand to run the agent. */
type Run = { readonly request: string; readonly policy: string; readonly targets: readonly string[] };

/** Empty while somebody is missing or rejects. */
export function whenAgreed(ballot: Ballot, at: Agreeing, names: Names): Drafts {
  const { approval, of, policy, run } = at;
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
      policy,
      result_code: 'succeeded',
      result_summary: 'approved',
    }),
  ];
  if (of.type === 'effects') return [...granted, within('task.unblocked', at.task, at.task, {})];
  return run === undefined ? granted : [...granted, runGrant({ ...at, run }, names)];
}

type Running = InAttempt & {
  readonly approval: string;
  readonly of: Pick<Approval, 'expires_at'>;
  readonly run: Run;
};

export function runGrant({ approval, of, run, ...at }: Running, names: Names): Drafts[number] {
  return inAttempt('grant.issued', names('grant run'), at, {
    action_class: 'execute_command',
    action_request_ref: run.request,
    approval_ref: approval,
    expires_at: of.expires_at,
    issued_to_principal_id: ANY_RUNNER,
    max_uses: 1,
    policy_result_ref: run.policy,
    resource_scope: [...run.targets],
  });
}

/** What follows where the votes on a question are enough. `mayGrant`: false where the grant waits; it is issued later. */
export function agreedOn(
  at: UnderWay,
  { roster }: Pick<MissionState, 'roster'>,
  { approval, of }: { readonly approval: string; readonly of: Approval },
  { names, mayGrant }: Settling,
): Drafts {
  const { course } = at;
  const policy = course.requests[of.request]?.policy?.ref ?? null;
  const run = mayGrant && course.held === null ? runOf(course) : undefined;
  return whenAgreed(ballotOf({ course, roster }), { ...at, approval, of, policy, run }, names);
}

export type Settling = { readonly names: Names; readonly mayGrant: boolean };

/** An earlier attempt asked for it when people agreed, and this one asked anew. Once there is work nothing is left to run. */
function runOf(course: Course): Run | undefined {
  const [request, asked] = runRequest(course) ?? [];
  if (request === undefined || asked === undefined || asked.policy === null || course.attempt?.work !== null)
    return undefined;
  return { request, policy: asked.policy.ref, targets: asked.targets };
}

/**
 * What people agreed to, and nobody wrote down or granted: another mission had a path, somebody held this one, or whoever
 * said no has left since. Under the same approval.
 */
export function decideGrant(state: MissionState | undefined, names: Names, mayGrant = true): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, mission } = at.value;
  const [approval, of] = openQuestion(course) ?? currentApproval(course, 'plan') ?? [];
  if (approval === undefined || of === undefined) return refuse('quorum_missing', { mission });
  if (!of.granted) {
    const settled = agreedOn(at.value, state!, { approval, of }, { names, mayGrant });
    return settled.length > 0 ? accept(settled) : refuse('quorum_missing', { mission });
  }
  const run = runOf(course);
  if (run === undefined) return refuse('action_unknown', { action_request: of.request });
  return accept([runGrant({ ...at.value, approval, of, run }, names)]);
}

/**
 * Asks again what was granted and is not any more: the plan is the same, and the votes of those who are still there go on
 * to count for as long as they would have. `votesExpireAt`: until when, where none do.
 */
export function decideAsking(
  state: MissionState | undefined,
  { now, votesExpireAt }: { readonly now: string; readonly votesExpireAt: string },
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, mission } = at.value;
  const [former, of] = currentApproval(course, 'plan') ?? [];
  const [request] = runRequest(course) ?? [];
  if (former === undefined || of === undefined || request === undefined) return refuse('plan_missing', { mission });
  const plan = course.plan!;
  const { approving } = tally(ballotOf({ course, roster: state!.roster }), of.votes);
  const isCarried = approving.length > 0 && plan.tier < SIGNED_TIER && now <= of.expires_at;
  return accept([
    inAttempt('approval.requested', names('approval'), at.value, {
      approval_packet_ref: plan.plan,
      approval_type: 'plan',
      carries: isCarried ? former : null,
      digest: plan.plan_digest,
      expires_at: isCarried ? of.expires_at : votesExpireAt,
      requested_action_ref: request,
    }),
  ]);
}
