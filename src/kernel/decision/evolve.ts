// What became of an effect, said by a person where looking tells nothing: the last resort, and recorded as what it is.
// Whoever says so grants nothing by it: the effect is not caused again, whichever way it is settled.
import type { EventOf, EventType } from '../event.ts';
import type { Course } from '../course/course.ts';
import { RECEIPT_REFS_MAX } from '../limits.ts';
import { attemptOf, onAttempt, type InCourse } from '../course/in-course.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overCourse, type Rules } from '../rule.ts';

function settleEffect({ course, signer }: InCourse, event: EventOf<'decision.recorded'>): Verdict<Course> {
  const { subject_ref: id, outcome, rationale, evidence_refs } = event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  // Under the person's own key: no gate says for somebody what that person saw.
  if (event.actor_id !== signer.principal_id)
    return refuse('actor_mismatch', { actor: event.actor_id, signer: signer.principal_id });
  if (signer.principal_type !== 'user') return refuse('not_authorised', { principal: signer.principal_id });
  const effect = course.effects[id];
  if (effect === undefined) return refuse('effect_unknown', { effect: id });
  if (effect.outcome !== null && effect.outcome !== 'unknown_outcome')
    return refuse('effect_settled', { effect: id, outcome: effect.outcome });
  // Whoever holds the lease may be causing it, or be about to find out.
  if (course.lease !== null) return refuse('lease_held', { holder: course.lease.holder, fence: course.lease.fence });
  const settled = {
    ...effect,
    outcome: outcome === 'applied' ? ('applied' as const) : ('failed' as const),
    settled_by: event.entity_id,
    settled_on: [rationale, ...evidence_refs].slice(0, RECEIPT_REFS_MAX),
  };
  const effects = { ...course.effects, [id]: settled };
  const isAllSeen = Object.values(effects).every((one) => one.outcome !== null);
  return isAllSeen ? onAttempt(event, { ...course, effects }, 'observing') : accept({ ...course, effects });
}

export const decisionRules = { 'decision.recorded': overCourse(settleEffect) } satisfies Partial<Rules<EventType>>;
