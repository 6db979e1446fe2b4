// Promises about what reaches the world: only what was computed from verified work and agreed to, once, and all of it.
import type { Story } from '../story.ts';
import { missing, planNow, trueTier } from './agreement.ts';
import { promise, whenever, type Promised } from './promise.ts';

/** What became of an effect: null while nobody knows. */
export function outcomeOf(story: Story, effect: string): string | null {
  let [at, outcome] = [-1, null as string | null];
  for (const seen of story.all('effect.observed'))
    if (seen.event.entity_id === effect) [at, outcome] = [seen.at, seen.event.payload.outcome];
  for (const settled of story.all('decision.recorded'))
    if (settled.event.payload.subject_ref === effect && settled.at > at)
      outcome = settled.event.payload.outcome === 'applied' ? 'applied' : 'failed';
  return outcome === 'unknown_outcome' ? null : outcome;
}

function requestOf(story: Story, grant: string): string | undefined {
  return story.of('grant.issued', grant)?.event.payload.action_request_ref;
}

export const EFFECTS: readonly Promised[] = [
  promise(
    'foreseen',
    'No effect but those computed from verified work, of a kind that the plan asks for, and from tier 2 on agreed to one by one.',
    whenever(['effect.intended'], ({ payload, attempt_id }, story) => {
      const plan = planNow(story);
      const request = requestOf(story, payload.grant_id);
      const set = story.all('effects.computed').findLast(({ event }) => event.attempt_id === attempt_id);
      const isIn = set?.event.payload.effects.some(
        (one) => one.action_request_ref === request && one.kind === payload.kind && one.effect === payload.effect,
      );
      if (plan === undefined || set === undefined || isIn !== true) return 'not in the computed set';
      if (!plan.asks.some(({ kind }) => kind === payload.kind)) return 'a kind that nobody asked for';
      const isVerified = story
        .all('verification.recorded')
        .some(
          ({ event, at }) => at < set.at && event.attempt_id === attempt_id && event.payload.verdict === 'satisfied',
        );
      if (!isVerified) return 'computed from work that nobody verified';
      return trueTier(plan) >= 2 ? missing(story, set.event.payload.effects_digest, plan) : undefined;
    }),
  ),
  promise(
    'caused once',
    'Nothing is begun again while it may have happened, or after it did, or after somebody settled it.',
    whenever(['effect.intended'], ({ payload }, story) => {
      const request = requestOf(story, payload.grant_id);
      const again = story
        .all('effect.intended')
        .filter(
          ({ event }) =>
            requestOf(story, event.payload.grant_id) === request || event.payload.effect === payload.effect,
        )
        .map(({ event }) => event.entity_id)
        .find((effect) => {
          const outcome = outcomeOf(story, effect);
          const isSettled = story.all('decision.recorded').some(({ event }) => event.payload.subject_ref === effect);
          return outcome === null || outcome === 'applied' || isSettled;
        });
      return again === undefined ? undefined : 'an intent of the same is open, applied or settled';
    }),
  ),
  promise(
    'done is done',
    'A mission is done when its work was verified and every kind of effect that was asked for was seen, or declined by policy.',
    whenever(['mission.ended'], ({ payload }, story) => {
      const succeeded = story.last('attempt.succeeded');
      if (payload.outcome !== 'done') return succeeded === undefined ? undefined : `${payload.outcome} after success`;
      const plan = planNow(story);
      if (plan === undefined) return 'without a plan';
      const verdict = story.last('verification.recorded')?.event;
      if (verdict?.payload.verdict !== 'satisfied' || verdict.attempt_id !== succeeded?.event.attempt_id)
        return 'without a verdict';
      const open = plan.asks.filter(({ kind }) => kind !== null && !isApplied(story, kind) && !isDeclined(story, kind));
      return open.length > 0 ? `${open.map(({ kind }) => kind).join()} never happened` : undefined;
    }),
  ),
  promise(
    'settled openly',
    'What policy once said of a request stays said, and what it denied is not asked again under another name while the plan is the same.',
    whenever(['policy.evaluated'], ({ payload, attempt_id }, story) => {
      const answers = story.all('policy.evaluated').map(({ event }) => event);
      if (answers.some((one) => one.payload.action_request_ref === payload.action_request_ref)) return 'answered twice';
      const asked = story.of('action.requested', payload.action_request_ref)?.event.payload;
      if (payload.result === 'deny' || asked === undefined) return undefined;
      const planned = story.last('plan.computed')?.at ?? 0;
      const isDenied = story.all('policy.evaluated').some(({ event: { payload: said, attempt_id: of }, at }) => {
        const before = story.of('action.requested', said.action_request_ref)?.event.payload;
        const isSame =
          before?.action_class === asked.action_class &&
          before.kind === asked.kind &&
          before.target_resources.some((one) => asked.target_resources.includes(one));
        return said.result === 'deny' && of === attempt_id && at > planned && isSame;
      });
      return isDenied ? 'denied before' : undefined;
    }),
  ),
];

function isApplied(story: Story, kind: string): boolean {
  return story
    .all('effect.intended')
    .some(({ event }) => event.payload.kind === kind && outcomeOf(story, event.entity_id) === 'applied');
}

function isDeclined(story: Story, kind: string): boolean {
  const requests = story.all('action.requested').filter(({ event }) => event.payload.kind === kind);
  return story
    .all('policy.evaluated')
    .some(
      ({ event: { payload } }) =>
        (payload.result === 'deny' || payload.result === 'downgrade') &&
        requests.some(({ event }) => event.entity_id === payload.action_request_ref),
    );
}
