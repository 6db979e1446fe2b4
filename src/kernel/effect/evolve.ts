// Effects in the course of a mission: computed from the work, intended under a grant and a lease, and seen. What was not
// computed is not intended, whoever allows it.
import { useGrant } from '../grant/evolve.ts';
import { enforced } from '../enforced.ts';
import type { EventOf, EventType } from '../event.ts';
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { OPEN_EFFECTS_MAX } from '../limits.ts';
import { onAttempt, underLease, type InCourse } from '../course/in-course.ts';
import { isBeingCaused, without, type Attempt, type Course } from '../course/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overCourse, type Rules } from '../rule.ts';

type Planned = EventOf<'effects.computed'>['payload'];

/** What the second approval is typed for: the exact effects of one exact commit of one attempt. */
export function effectsDigest(
  crypto: Crypto,
  about: { readonly mission_id: string; readonly attempt_id: string; readonly commit: string },
  effects: Planned['effects'],
): string {
  return hex(crypto.hash('sha256', utf8(`lazarus effects v1\n${jcs({ ...about, effects })}`)));
}

function computeEffects({ course, crypto, mission }: InCourse, event: EventOf<'effects.computed'>): Verdict<Course> {
  const { effects, effects_digest, params_ref } = event.payload;
  const { attempt } = course;
  const work = attempt?.work ?? null;
  if (attempt === null || work === null || attempt.verdict !== 'satisfied') return refuse('nothing_done', { mission });
  if (attempt.planned?.digest === effects_digest) return refuse('effects_planned', { attempt: attempt.id });
  // What is open belongs to the set before this one, and so does what people agreed to.
  const open = Object.keys(course.effects).length;
  if (enforced('one_intent_per_effect') && open > 0) return refuse('effect_exists', { open });
  const about = { mission_id: mission, attempt_id: attempt.id, commit: work.commit };
  if (effects_digest !== effectsDigest(crypto, about, effects))
    return refuse('plan_digest_mismatch', { digest: effects_digest });
  for (const { action_request_ref, kind } of effects) {
    const request = course.requests[action_request_ref];
    if (request === undefined || request.kind !== kind) return refuse('effect_unplanned', { kind });
    const isAsked = course.plan?.asks.some((asked) => asked.kind === kind) === true;
    if (enforced('effects_from_computed_set') && (!isAsked || request.receipted))
      return refuse('effect_unplanned', { kind });
  }
  // One request for two effects would let the receipt of one pass for that of the other.
  const requests = new Set(effects.map((one) => one.action_request_ref));
  if (requests.size < effects.length) return refuse('effect_exists', { effects: effects.length });
  const deeds = new Set(effects.map((one) => one.effect));
  const isDone = effects.some((one) => course.caused.includes(one.effect));
  if (enforced('one_intent_per_effect') && (isDone || deeds.size < effects.length))
    return refuse('effect_exists', { effects: effects.length });
  const planned: Attempt['planned'] = {
    digest: effects_digest,
    params_ref,
    effects: effects.map((one) => ({
      request: one.action_request_ref,
      kind: one.kind,
      effect: one.effect,
      intent: null,
      outcome: null,
    })),
  };
  // A grant was for what stood under its request before.
  const grants = without(course.grants, ...grantsOfEffects(course));
  return onAttempt(event, { ...course, grants }, 'observing', { planned });
}

function grantsOfEffects({ grants, requests }: Course): readonly string[] {
  return Object.keys(grants).filter((id) => (requests[grants[id]!.request]?.kind ?? null) !== null);
}

function intendEffect(at: InCourse, event: EventOf<'effect.intended'>): Verdict<Course> {
  const { course } = at;
  const { effect, fence, grant_id, kind, params_ref, target, witness } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  if (lease.value.mode !== 'mutable') return refuse('lease_lost', { fence, mode: lease.value.mode });
  if (course.effects[event.entity_id] !== undefined) return refuse('effect_exists', { effect: event.entity_id });
  if (Object.keys(course.effects).length >= OPEN_EFFECTS_MAX)
    return refuse('limit_reached', { open_effects_max: OPEN_EFFECTS_MAX });
  const grant = course.grants[grant_id];
  if (grant === undefined) return refuse('grant_missing', { grant: grant_id });
  const planned = course.attempt?.planned ?? null;
  const found = planned?.effects.find((one) => one.request === grant.request);
  const isPlanned = found?.kind === kind && found.effect === effect && planned?.params_ref === params_ref;
  if (enforced('effects_from_computed_set') && !isPlanned) return refuse('effect_unplanned', { kind });
  if (!grant.scope.includes(target)) return refuse('grant_mismatch', { grant: grant_id, target });
  const isIntended = isBeingCaused(course, grant.request) || (found?.intent ?? null) !== null;
  if (enforced('one_intent_per_effect') && isIntended)
    return refuse('effect_exists', { action_request: grant.request });
  if (witness.base_commit !== course.plan?.base_commit)
    return refuse('ref_moved', { base: witness.base_commit, approved: course.plan?.base_commit ?? '' });
  const used = useGrant(at, grant_id, event.occurred_at);
  if (used.is === 'refused') return used;
  const { request, approval } = grant;
  const open = { kind, effect, target, params_ref, request, grant: grant_id, approval, outcome: null };
  const effects = { ...course.effects, [event.entity_id]: open };
  return onAttempt(event, { ...used.value, effects }, 'executing', {
    planned: planned === null ? null : withIntent(planned, request, event.entity_id),
  });
}

function withIntent(planned: NonNullable<Attempt['planned']>, request: string, intent: string): Attempt['planned'] {
  return { ...planned, effects: planned.effects.map((one) => (one.request === request ? { ...one, intent } : one)) };
}

function observeEffect(at: InCourse, event: EventOf<'effect.observed'>): Verdict<Course> {
  const { course } = at;
  const { fence, outcome } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  const effect = course.effects[event.entity_id];
  if (effect === undefined) return refuse('effect_unknown', { effect: event.entity_id });
  // An unknown outcome may be found out later; a known one is final.
  if (effect.outcome !== null && effect.outcome !== 'unknown_outcome')
    return refuse('effect_settled', { effect: event.entity_id, outcome: effect.outcome });
  const effects = { ...course.effects, [event.entity_id]: { ...effect, outcome } };
  const isAllSeen = Object.values(effects).every((one) => one.outcome !== null);
  return isAllSeen ? onAttempt(event, { ...course, effects }, 'observing') : accept({ ...course, effects });
}

export const effectRules = {
  'effects.computed': overCourse(computeEffects),
  'effect.intended': overCourse(intendEffect),
  'effect.observed': overCourse(observeEffect),
} satisfies Partial<Rules<EventType>>;
