// From verified work to effects and back: what is to be caused, the intents that make it durable before anything is
// done, and the outcomes and receipts after it.
import type { Crypto } from '../../format/crypto.ts';
import type { EffectKind } from '../course/classes.ts';
import { EFFECTS_APPROVAL_TIER } from '../action/authority.ts';
import { currentApproval, standingOf } from '../approval/standing.ts';
import { effectsDigest } from '../effect/evolve.ts';
import type { Approval, Course } from '../course/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { decideAsking } from './agreed.ts';
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
  readonly now: string;
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
  // Leaving everything out is not doing it; and whoever is asked is asked about something.
  if (delivery.effects.length === 0) return refuse('effect_missing', { attempt, kinds: kindsAsked(course) });
  const found = withRequests(course, delivery.effects);
  if (found.is === 'refused') return found;
  const planned = found.value.map(({ request, kind, effect }) => ({ action_request_ref: request, kind, effect }));
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
  const approval = authorityFor(at.value, state!, delivery.now);
  if (approval !== undefined)
    return accept([...computed, ...intents(at.value, { ...delivery, approval, effects: found.value }, names)]);
  if (course.plan!.tier < EFFECTS_APPROVAL_TIER) {
    const again = decideAsking(state, delivery, names);
    return again.is === 'refused' ? again : accept([...computed, ...again.value]);
  }
  return accept([...computed, ...question(at.value, { ...delivery, effects: found.value }, effects_digest, names)]);
}

function kindsAsked({ plan }: Course): readonly EffectKind[] {
  return plan!.asks.flatMap(({ kind }) => kind ?? []);
}

/** What people are asked before there are effects: those alone in the upper tiers, else the plan; and what became of that. */
export function approvalOfEffects(course: Course): {
  readonly asked: Approval['type'];
  readonly found: ReturnType<typeof currentApproval>;
} {
  const asked = course.plan!.tier >= EFFECTS_APPROVAL_TIER ? 'effects' : 'plan';
  return { asked, found: currentApproval(course, asked) };
}

/** The approval that the effects rest on, null where policy's word is enough; undefined where people are asked first. */
function authorityFor({ course }: UnderWay, { roster }: MissionState, now: string): string | null | undefined {
  const { asked, found: [id, approval] = [] } = approvalOfEffects(course);
  if (approval === undefined) return asked === 'effects' ? undefined : null;
  // Whoever has left no longer agrees, and people are asked again: the work is not made anew for that.
  return standingOf({ course, roster }, approval, now) === 'granted' ? id : undefined;
}

type Asked = ExactEffect & { readonly request: string };
type Exact = Omit<Delivery, 'effects'> & { readonly effects: readonly Asked[] };

function question(at: UnderWay, delivery: Exact, digest: string, names: Names): Drafts {
  return [
    inAttempt('approval.requested', names('approval effects'), at, {
      approval_packet_ref: delivery.packet,
      approval_type: 'effects',
      carries: null,
      digest,
      expires_at: delivery.votesExpireAt,
      requested_action_ref: delivery.effects[0]!.request,
    }),
    within('task.blocked', at.task, at.task, { because: 'awaiting_approval' }),
  ];
}

function intents(at: UnderWay, delivery: Exact & { readonly approval: string | null }, names: Names): Drafts {
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
  const { approval } = delivery;
  return delivery.effects.reduce<Drafts>((drafts, { kind, effect, target, request }, n) => {
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

/**
 * Each effect with the request that it was computed for; before that, with one of its own: of its kind, at its target, and
 * not denied.
 */
function withRequests(course: Course, effects: readonly ExactEffect[]): Verdict<readonly Asked[]> {
  const planned = course.attempt!.planned?.effects;
  const asked: Asked[] = [];
  for (const one of effects) {
    const known = planned?.find(({ kind, effect }) => kind === one.kind && effect === one.effect)?.request;
    const request = planned === undefined ? openRequest(course, one, asked) : known;
    if (request === undefined) return refuse('effect_unplanned', { kind: one.kind, target: one.target });
    // Whoever else may sign may have settled it since: a request that is gone cannot be granted.
    if ((course.requests[request]?.policy ?? null) === null)
      return refuse('action_unknown', { action_request: request });
    asked.push({ ...one, request });
  }
  return accept(asked);
}

function openRequest(course: Course, { kind, target }: ExactEffect, taken: readonly Asked[]): string | undefined {
  const found = Object.entries(course.requests).find(
    ([id, one]) =>
      one.kind === kind &&
      one.targets.includes(target) &&
      !one.receipted &&
      (one.policy?.result === 'allow' || one.policy?.result === 'require_approval') &&
      !taken.some(({ request }) => request === id),
  );
  return found?.[0];
}
