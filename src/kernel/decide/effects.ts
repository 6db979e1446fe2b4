// From verified work to effects and back: what is to be caused, the intents that make it durable before anything is
// done, and the outcomes and receipts after it.
import type { Crypto } from '../../format/crypto.ts';
import type { EffectKind } from '../action/classes.ts';
import { EFFECTS_APPROVAL_TIER } from '../action/authority.ts';
import { effectsDigest } from '../effect/evolve.ts';
import type { Course } from '../mission/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';

type ExactEffect = {
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
          inAttempt('effects.computed', attempt, at.value, {
            effects: planned,
            effects_digest,
            params_ref: delivery.params,
          }),
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
    inAttempt('approval.requested', names('approval effects'), at, {
      approval_packet_ref: delivery.packet,
      approval_type: 'effects',
      carries: null,
      digest,
      expires_at: delivery.votesExpireAt,
      requested_action_ref: requestFor(at.course, delivery.effects[0]!.kind)!,
    }),
    within('task.blocked', at.task, at.task, { because: 'awaiting_approval' }),
  ];
}

function intents(at: UnderWay, delivery: Delivery, names: Names): Drafts {
  const { course } = at;
  const fence = course.fence + 1;
  const lease: Drafts = [
    inAttempt('lease.acquired', names('lease effects'), at, {
      expires_at: delivery.leaseUntil,
      fence,
      holder_principal_id: delivery.writer,
      mode: 'mutable',
      workspace_id: delivery.workspace,
    }),
  ];
  const approval =
    effectsApproval(course) ?? Object.entries(course.approvals).find(([, one]) => one.type === 'plan')?.[0] ?? null;
  return delivery.effects.reduce<Drafts>((drafts, { kind, effect, target }, n) => {
    const request = requestFor(course, kind)!;
    const { action_class, policy } = course.requests[request]!;
    const grant = names(`grant effect ${n}`);
    return [
      ...drafts,
      inAttempt('grant.issued', grant, at, {
        action_class,
        action_request_ref: request,
        approval_ref: approval,
        expires_at: delivery.grantsExpireAt,
        issued_to_principal_id: delivery.writer,
        max_uses: 1,
        policy_result_ref: policy!.ref,
        resource_scope: [target],
      }),
      inAttempt('effect.intended', names(`effect ${n}`), at, {
        effect,
        fence,
        grant_id: grant,
        kind,
        params_ref: delivery.params,
        target,
        witness: { base_commit: delivery.base_commit },
      }),
    ];
  }, lease);
}

function requestFor(course: Course, kind: EffectKind): string | undefined {
  return Object.entries(course.requests).find(([, one]) => one.kind === kind)?.[0];
}
