// From a proposal to a plan that can be approved: the digest, what it asks for, what policy says to each, and the
// question put to people. What policy denies gets its receipt here and goes no further.
import type { Crypto } from '../../format/crypto.ts';
import type { ActionClass, EffectKind } from '../course/classes.ts';
import type { EventOf } from '../event.ts';
import { isOver } from '../course/attempt-status.ts';
import type { Course, MissionCourse, Vote } from '../course/course.ts';
import { theStep } from '../course/steps.ts';
import { SIGNED_TIER } from '../approval/voters.ts';
import { isShrunk, planDigest, type Plan, type PlanTerms } from '../course/plan.ts';
import { NO_ROLLBACK } from '../receipt/classes.ts';
import type { Roster } from '../roster/roster.ts';
import { inAttempt, within, type Drafts, type InAttempt, type Names } from './about.ts';
import { whenAgreed } from './agreed.ts';

export type PlannedAction = {
  /** A word for it, unique in the plan: `run` is the agent itself. */
  readonly name: string;
  readonly action_class: ActionClass;
  readonly kind: EffectKind | null;
  readonly targets: readonly string[];
  readonly reversibility: EventOf<'action.requested'>['payload']['reversibility_hint'];
  readonly policy: Pick<EventOf<'policy.evaluated'>['payload'], 'reasons' | 'result' | 'risk' | 'witness_required'>;
};

export type Planning = {
  readonly terms: Omit<PlanTerms, 'proposal' | 'revision' | 'roster_n'>;
  readonly actions: readonly PlannedAction[];
  /** The packet people decide on, an artifact. */
  readonly packet: string;
  readonly now: string;
  readonly votesExpireAt: string;
  readonly maxAttempts: number;
  /** False where another mission holds a path: approved, and queued later. */
  readonly mayGrant: boolean;
};

export const RUN = 'run';

export type Planned = { readonly mission: string; readonly roster: Roster; readonly course: MissionCourse };

export function decidePlan(crypto: Crypto, on: Planned, planning: Planning, names: Names): Drafts {
  const { mission, roster } = on;
  const course = theStep(on.course);
  const { proposal, revision } = course;
  const terms: PlanTerms = { ...planning.terms, proposal, revision, roster_n: roster.n };
  const plan_digest = planDigest(crypto, mission, terms);
  const task = course.step?.task ?? names('task');
  const step = course.step?.id ?? names('step');
  const attempt = isNextNew(course) ? names('attempt') : course.attempt!.id;
  const at = { task, step, attempt };
  return [
    within('plan.computed', mission, mission, { ...terms, plan_digest }),
    ...(course.step === null ? firstWork(planning, at) : []),
    ...(isNextNew(course) ? [nextAttempt(course, at)] : []),
    ...actionDrafts(planning, at, names),
    ...asking(planning, { ...at, plan: { ...terms, plan_digest }, on }, names),
  ];
}

function firstWork({ terms, maxAttempts }: Planning, at: InAttempt): Drafts {
  const { task, step } = at;
  return [
    within('task.created', task, task, { contract: terms.plan }),
    within('task.readied', task, task, {}),
    {
      ...within('step.created', step, task, {
        contract_ref: terms.plan,
        kind: 'edit',
        max_attempts: maxAttempts,
        place: 0,
      }),
      step_id: step,
    },
  ];
}

/** An attempt that is over stays so: what is planned anew is another one. */
function isNextNew({ attempt }: Course): boolean {
  return attempt === null || isOver(attempt.status);
}

export function nextAttempt({ attempt: last }: Course, at: InAttempt): Drafts[number] {
  return inAttempt('attempt.created', at.attempt, at, {
    attempt_no: (last?.no ?? 0) + 1,
    executor_mode: 'cell',
    resume_from_ref: last?.id ?? null,
  });
}

/** Each action asked for, policy's answer to it, and a receipt where the answer is no. */
export function actionDrafts(
  { actions, terms }: Pick<Planning, 'actions' | 'terms'>,
  at: InAttempt,
  names: Names,
): Drafts {
  return actions.flatMap(({ name, action_class, kind, targets, reversibility, policy }): Drafts => {
    const request = names(`request ${name}`);
    const result = names(`policy ${name}`);
    const asked: Drafts = [
      inAttempt('action.requested', request, at, {
        action_class,
        kind,
        params_ref: name === RUN ? terms.plan : null,
        reversibility_hint: reversibility,
        target_resources: [...targets],
      }),
      inAttempt('policy.evaluated', result, at, { ...policy, action_request_ref: request, policy: terms.policy }),
    ];
    if (policy.result === 'allow' || policy.result === 'require_approval') return asked;
    return [
      ...asked,
      inAttempt('receipt.issued', names(`receipt ${name}`), at, {
        action_request_ref: request,
        approval_ref: null,
        capability_grant_ref: null,
        environment_ref: null,
        input_refs: [terms.plan],
        output_refs: [],
        policy_result_ref: result,
        receipt_class: 'approval_resolution',
        replay_class: 'explain_only',
        result_code: 'denied',
        result_summary: 'policy_refused',
        rollback: NO_ROLLBACK,
        subject_ref: request,
      }),
    ];
  });
}

/** Nobody is asked about what policy refuses; where enough have agreed already, or nobody has to, the answer stands at once. */
function asking(
  planning: Planning,
  at: InAttempt & { readonly plan: Plan; readonly on: Planned },
  names: Names,
): Drafts {
  const { actions, packet } = planning;
  if (actions.some(({ policy }) => policy.result === 'deny' || policy.result === 'downgrade')) return [];
  const { plan } = at;
  const { roster } = at.on;
  const course = theStep(at.on.course);
  const carried = votesToCarry(course, plan, planning.now);
  // A vote that is carried over does not live longer for it.
  const expires = [planning.votesExpireAt, carried?.expires_at ?? planning.votesExpireAt].toSorted()[0]!;
  const approval = names('approval');
  const request = names(`request ${RUN}`);
  const answer = names(`policy ${RUN}`);
  const run = actions.find(({ name }) => name === RUN)!;
  const of = {
    type: 'plan',
    digest: plan.plan_digest,
    votes: carried?.votes ?? [],
    expires_at: expires,
    request,
  } as const;
  const settled = whenAgreed(
    { roster, proposers: course.proposers, plan },
    {
      ...at,
      approval,
      of,
      policy: answer,
      run: planning.mayGrant && course.held === null ? { request, policy: answer, targets: run.targets } : undefined,
    },
    names,
  );
  return [
    inAttempt('approval.requested', approval, at, {
      approval_packet_ref: packet,
      approval_type: 'plan',
      carries: carried?.id ?? null,
      digest: plan.plan_digest,
      expires_at: expires,
      requested_action_ref: request,
    }),
    ...settled,
  ];
}

/** Votes for the plan before this one, if they cover it: what they were for may only have shrunk, and not be too old. */
function votesToCarry(
  { approvals, plan: former }: Course,
  plan: Plan,
  now: string,
): { readonly id: string; readonly votes: readonly Vote[]; readonly expires_at: string } | undefined {
  const [id, approval] = Object.entries(approvals).find(([, one]) => one.type === 'plan') ?? [];
  if (id === undefined || approval === undefined || former?.plan_digest !== approval.digest) return undefined;
  if (Math.max(plan.tier, former.tier) >= SIGNED_TIER) return undefined;
  return approval.votes.length > 0 && now < approval.expires_at && isShrunk(former, plan)
    ? { id, votes: approval.votes, expires_at: approval.expires_at }
    : undefined;
}
