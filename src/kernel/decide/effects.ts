// From verified work to effects and back: what is to be caused, the intents that make it durable before anything is
// done, and the outcomes and receipts after it.
import type { Crypto } from '../../format/crypto.ts';
import type { EffectKind } from '../action/classes.ts';
import { EFFECTS_APPROVAL_TIER } from '../action/authority.ts';
import { effectsDigest } from '../effect/evolve.ts';
import type { EventOf } from '../event.ts';
import type { Course } from '../mission/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { ofAttempt, underWay, type Drafts, type Names, type UnderWay } from './about.ts';

export type ExactEffect = {
  readonly kind: EffectKind;
  readonly target: string;
  /** SHA-256 over the exact effect. */
  readonly effect: string;
};

export type Delivery = {
  readonly effects: readonly ExactEffect[];
  /** The effects as executors read them, an artifact. */
  readonly params: string;
  readonly writer: string;
  readonly leaseUntil: string;
  readonly grantsExpireAt: string;
  readonly workspace: string;
  /** The base as it was found just now. */
  readonly base_commit: string;
  /** For tier 2: the packet people decide on, and until when. */
  readonly packet: string;
  readonly votesExpireAt: string;
};

/** The effects, and either the question put to people (tier 2) or the intents at once. */
export function decideEffects(
  crypto: Crypto,
  state: MissionState | undefined,
  delivery: Delivery,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, mission, attempt } = at.value;
  const work = course.attempt!.work;
  if (work === null) return refuse('nothing_done', { mission });
  const planned: { action_request_ref: string; kind: EffectKind; effect: string }[] = [];
  for (const { kind, effect } of delivery.effects) {
    const request = requestFor(course, kind);
    if (request === undefined) return refuse('effect_unplanned', { kind });
    planned.push({ action_request_ref: request, kind, effect });
  }
  const effects_digest = effectsDigest(
    crypto,
    { mission_id: mission, attempt_id: attempt, commit: work.commit },
    planned,
  );
  const computed: Drafts =
    course.attempt!.planned !== null
      ? []
      : [
          {
            event_type: 'effects.computed',
            entity_type: 'attempt',
            entity_id: attempt,
            ...ofAttempt(at.value),
            payload: { effects: planned, effects_digest, params_ref: delivery.params },
          },
        ];
  if (course.plan!.tier < EFFECTS_APPROVAL_TIER || effectsApproval(course) !== undefined)
    return accept([...computed, ...intents(at.value, delivery, names)]);
  return accept([...computed, ...question(at.value, delivery, effects_digest, names)]);
}

export function effectsApproval(course: Course): string | undefined {
  return Object.entries(course.approvals).find(([, one]) => one.type === 'effects' && one.granted)?.[0];
}

function question(at: UnderWay, delivery: Delivery, digest: string, names: Names): Drafts {
  return [
    {
      event_type: 'approval.requested',
      entity_type: 'approval',
      entity_id: names('approval effects'),
      ...ofAttempt(at),
      payload: {
        approval_packet_ref: delivery.packet,
        approval_type: 'effects',
        carries: null,
        digest,
        expires_at: delivery.votesExpireAt,
        requested_action_ref: requestFor(at.course, delivery.effects[0]!.kind)!,
      },
    },
    {
      event_type: 'task.blocked',
      entity_type: 'task',
      entity_id: at.task,
      task_id: at.task,
      payload: { because: 'awaiting_approval' },
    },
  ];
}

function intents(at: UnderWay, delivery: Delivery, names: Names): Drafts {
  const { course } = at;
  const fence = course.fence + 1;
  const lease: Drafts = [
    {
      event_type: 'lease.acquired',
      entity_type: 'lease',
      entity_id: names('lease effects'),
      ...ofAttempt(at),
      payload: {
        expires_at: delivery.leaseUntil,
        fence,
        holder_principal_id: delivery.writer,
        mode: 'mutable',
        workspace_id: delivery.workspace,
      },
    },
  ];
  const approval =
    effectsApproval(course) ?? Object.entries(course.approvals).find(([, one]) => one.type === 'plan')?.[0] ?? null;
  return delivery.effects.reduce<Drafts>((drafts, { kind, effect, target }, n) => {
    const request = requestFor(course, kind)!;
    const { action_class, policy } = course.requests[request]!;
    const grant = names(`grant effect ${n}`);
    return [
      ...drafts,
      {
        event_type: 'grant.issued',
        entity_type: 'grant',
        entity_id: grant,
        ...ofAttempt(at),
        payload: {
          action_class,
          action_request_ref: request,
          approval_ref: approval,
          expires_at: delivery.grantsExpireAt,
          issued_to_principal_id: delivery.writer,
          max_uses: 1,
          policy_result_ref: policy!.ref,
          resource_scope: [target],
        },
      },
      {
        event_type: 'effect.intended',
        entity_type: 'effect',
        entity_id: names(`effect ${n}`),
        ...ofAttempt(at),
        payload: {
          effect,
          fence,
          grant_id: grant,
          kind,
          params_ref: delivery.params,
          target,
          witness: { base_commit: delivery.base_commit },
        },
      },
    ];
  }, lease);
}

export type Outcome = Omit<EventOf<'effect.observed'>['payload'], 'fence'> & { readonly effect: string };

export type Outcomes = {
  readonly seen: readonly Outcome[];
  /** What the history has to show for the attempt: receipts point at it. */
  readonly evidence: {
    readonly cell: string | undefined;
    readonly runGrant: string | undefined;
    readonly grants: Readonly<Record<string, string>>;
    readonly environment: string | null;
    readonly outputs: readonly string[];
  };
  readonly inputs: readonly string[];
};

/** Outcomes and receipts; the end of the mission when nothing is owed any more. */
export function decideOutcomes(state: MissionState | undefined, outcomes: Outcomes, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  const fence = course.lease?.fence ?? course.fence;
  const approval = Object.entries(course.approvals).find(([, one]) => one.granted)?.[0] ?? null;
  const observed = outcomes.seen.map(({ effect, ...seen }): Drafts[number] => ({
    event_type: 'effect.observed',
    entity_type: 'effect',
    entity_id: effect,
    ...ofAttempt(at.value),
    payload: { ...seen, fence },
  }));
  const receipts = outcomes.seen.map(({ effect, outcome, reason }, n): Drafts[number] => {
    const { request } = course.effects[effect]!;
    return {
      event_type: 'receipt.issued',
      entity_type: 'receipt',
      entity_id: names(`receipt effect ${n}`),
      ...ofAttempt(at.value),
      payload: {
        action_request_ref: request,
        approval_ref: approval,
        capability_grant_ref: outcomes.evidence.grants[effect] ?? null,
        environment_ref: null,
        input_refs: [course.effects[effect]!.params_ref],
        output_refs: [],
        policy_result_ref: course.requests[request]?.policy?.ref ?? null,
        receipt_class: 'publish',
        replay_class: 'observe_only',
        result_code: RESULT_OF[outcome],
        result_summary: reason,
        rollback: 'unsupported',
        subject_ref: effect,
      },
    };
  });
  const isAllApplied = outcomes.seen.every(({ outcome }) => outcome === 'applied');
  const isSettled = outcomes.seen.every(({ outcome }) => outcome !== 'unknown_outcome');
  if (!isSettled) return accept([...observed, ...receipts, released(at.value, 'unknown_outcome', fence)]);
  return accept([
    ...observed,
    ...receipts,
    ...(isAllApplied ? success(at.value, outcomes, approval, names) : failure(at.value)),
  ]);
}

function success(at: UnderWay, { evidence, inputs }: Outcomes, approval: string | null, names: Names): Drafts {
  const [request, asked] = Object.entries(at.course.requests).find(
    ([, one]) => one.action_class === 'execute_command',
  )!;
  const { task, mission, attempt, course } = at;
  return [
    {
      event_type: 'receipt.issued',
      entity_type: 'receipt',
      entity_id: names('receipt run'),
      ...ofAttempt(at),
      payload: {
        action_request_ref: request,
        approval_ref: approval,
        capability_grant_ref: evidence.runGrant ?? null,
        environment_ref: evidence.environment,
        input_refs: [...inputs],
        output_refs: [...evidence.outputs],
        policy_result_ref: asked.policy?.ref ?? null,
        receipt_class: 'command_execution',
        replay_class: 'explain_only',
        result_code: 'succeeded',
        result_summary: 'verified',
        rollback: 'unsupported',
        subject_ref: evidence.cell ?? attempt,
      },
    },
    { event_type: 'attempt.succeeded', entity_type: 'attempt', entity_id: attempt, ...ofAttempt(at), payload: {} },
    ...(course.lease === null ? [] : [released(at, 'finished', course.lease.fence)]),
    {
      event_type: 'task.completed',
      entity_type: 'task',
      entity_id: task,
      task_id: task,
      payload: { evidence: [...evidence.outputs] },
    },
    {
      event_type: 'mission.ended',
      entity_type: 'mission',
      entity_id: mission,
      task_id: mission,
      payload: { because: 'verified', outcome: 'done' },
    },
  ];
}

function failure(at: UnderWay): Drafts {
  const { task, mission, attempt, course } = at;
  const because = 'effect_refused';
  return [
    {
      event_type: 'attempt.failed',
      entity_type: 'attempt',
      entity_id: attempt,
      ...ofAttempt(at),
      payload: { because },
    },
    ...(course.lease === null ? [] : [released(at, because, course.lease.fence)]),
    { event_type: 'task.failed', entity_type: 'task', entity_id: task, task_id: task, payload: { because } },
    {
      event_type: 'mission.ended',
      entity_type: 'mission',
      entity_id: mission,
      task_id: mission,
      payload: { because, outcome: 'failed' },
    },
  ];
}

function released(at: UnderWay, because: string, fence: number): Drafts[number] {
  return {
    event_type: 'lease.released',
    entity_type: 'lease',
    entity_id: at.course.lease!.id,
    ...ofAttempt(at),
    payload: { because, fence },
  };
}

function requestFor(course: Course, kind: EffectKind): string | undefined {
  return Object.entries(course.requests).find(([, one]) => one.kind === kind)?.[0];
}

const RESULT_OF = {
  applied: 'succeeded',
  refused: 'refused',
  failed: 'failed',
  unknown_outcome: 'unknown_outcome',
} as const;
