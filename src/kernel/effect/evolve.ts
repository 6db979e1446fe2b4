// Effects in the course of a mission: planned from the work, intended under a grant and a lease, seen, and receipted.
import { useGrant } from '../action/evolve.ts';
import type { EventOf } from '../event.ts';
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { OPEN_EFFECTS_MAX } from '../limits.ts';
import { onAttempt, underLease, type InCourse } from '../mission/in-course.ts';
import {
  isBeingCaused,
  without,
  type Attempt,
  type Course,
  type Effect,
  type PlannedEffect,
} from '../mission/course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

type Planned = EventOf<'effects.computed'>['payload'];

/** What the second approval is typed for: the exact effects of one exact commit of one attempt. */
export function effectsDigest(
  crypto: Crypto,
  about: { readonly mission_id: string; readonly attempt_id: string; readonly commit: string },
  effects: Planned['effects'],
): string {
  return hex(crypto.hash('sha256', utf8(`lazarus effects v1\n${jcs({ ...about, effects })}`)));
}

export function computeEffects(
  { course, crypto, mission }: InCourse,
  event: EventOf<'effects.computed'>,
): Verdict<Course> {
  const { effects, effects_digest, params_ref } = event.payload;
  const { attempt } = course;
  const work = attempt?.work ?? null;
  if (attempt === null || work === null || attempt.verdict !== 'satisfied') return refuse('nothing_done', { mission });
  if (attempt.planned !== null) return refuse('effects_planned', { attempt: attempt.id });
  const about = { mission_id: mission, attempt_id: attempt.id, commit: work.commit };
  if (effects_digest !== effectsDigest(crypto, about, effects))
    return refuse('plan_digest_mismatch', { digest: effects_digest });
  for (const { action_request_ref, kind } of effects) {
    const request = course.requests[action_request_ref];
    if (request === undefined || request.kind !== kind) return refuse('effect_unplanned', { kind });
  }
  // One request for two effects would let the receipt of one pass for that of the other.
  const requests = new Set(effects.map((one) => one.action_request_ref));
  if (requests.size < effects.length) return refuse('effect_exists', { effects: effects.length });
  const planned: Attempt['planned'] = {
    digest: effects_digest,
    params_ref,
    effects: effects.map((one) => ({
      request: one.action_request_ref,
      kind: one.kind,
      effect: one.effect,
      outcome: null,
    })),
  };
  return onAttempt(event, course, 'observing', { planned });
}

export function intendEffect(at: InCourse, event: EventOf<'effect.intended'>): Verdict<Course> {
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
  if (!isForeseen(course, grant.request, event.payload)) return refuse('effect_unplanned', { kind });
  if (!grant.scope.includes(target)) return refuse('grant_mismatch', { grant: grant_id, target });
  if (isBeingCaused(course, grant.request)) return refuse('effect_exists', { action_request: grant.request });
  if (witness.base_commit !== course.plan?.base_commit)
    return refuse('ref_moved', { base: witness.base_commit, approved: course.plan?.base_commit ?? '' });
  const used = useGrant(at, grant_id, event.occurred_at);
  if (used.is === 'refused') return used;
  const open = { kind, effect, target, params_ref, request: grant.request, outcome: null };
  return onAttempt(event, { ...used.value, effects: { ...course.effects, [event.entity_id]: open } }, 'executing');
}

/** It is what was computed from the work, or what was asked for in exactly these words. */
function isForeseen(
  { attempt, requests }: Course,
  requestId: string,
  { kind, effect, params_ref }: EventOf<'effect.intended'>['payload'],
): boolean {
  const planned = attempt?.planned?.effects.find((one) => one.request === requestId);
  if (planned !== undefined) return planned.kind === kind && planned.effect === effect && planned.outcome !== 'applied';
  const request = requests[requestId];
  return request?.kind === kind && request.params_ref === params_ref;
}

export function observeEffect(at: InCourse, event: EventOf<'effect.observed'>): Verdict<Course> {
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

export function issueReceipt({ course, signer }: InCourse, event: EventOf<'receipt.issued'>): Verdict<Course> {
  const { subject_ref, result_code, action_request_ref } = event.payload;
  const receipts = course.receipts + 1;
  const effect = course.effects[subject_ref];
  if (effect === undefined) return accept({ ...course, receipts });
  if (!signer.roles.includes('writer'))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id });
  if (
    effect.outcome === null ||
    result_code !== RESULT_OF[effect.outcome] ||
    action_request_ref !== effect.request ||
    !saysHow(effect, event.payload)
  )
    return refuse('receipt_mismatch', { effect: subject_ref, outcome: effect.outcome ?? 'none', result_code });
  // It stays owed until somebody finds out: nothing unknown is ever closed, and nothing unknown is repeated.
  if (effect.outcome === 'unknown_outcome') return accept({ ...course, receipts });
  const grants = Object.entries(course.grants).filter(([, { request }]) => request === effect.request);
  const next: Course = {
    ...course,
    receipts,
    effects: without(course.effects, subject_ref),
    requests: without(course.requests, effect.request),
    grants: without(course.grants, ...grants.map(([id]) => id)),
  };
  const planned = settled(course.attempt?.planned ?? null, effect.request, effect.outcome);
  // Where another effect could not even be looked at, the attempt goes on with what is left of it.
  const isAllSeen = Object.values(next.effects).every((one) => one.outcome !== null);
  return onAttempt(event, next, isAllSeen ? 'receipt_pending' : 'executing', { planned });
}

/** What a person settled must not pass for something that was seen, nor the other way round. */
function saysHow(
  { settled_by }: Effect,
  { receipt_class, decision_ref }: EventOf<'receipt.issued'>['payload'],
): boolean {
  return (receipt_class === 'observation_resolution') === (settled_by !== undefined) && decision_ref === settled_by;
}

function settled(
  planned: Attempt['planned'],
  request: string,
  outcome: Exclude<PlannedEffect['outcome'], null>,
): Attempt['planned'] {
  if (planned === null) return null;
  return { ...planned, effects: planned.effects.map((one) => (one.request === request ? { ...one, outcome } : one)) };
}

const RESULT_OF = {
  applied: 'succeeded',
  refused: 'refused',
  failed: 'failed',
  unknown_outcome: 'unknown_outcome',
} as const;
