// What a refused effect tells its reader, and the ways to pass one off for another that no honest walk comes to.
import { describe, expect, it } from 'vitest';
import type { Course } from '../../../src/kernel/course/course.ts';
import type { Event, EventOf } from '../../../src/kernel/event.ts';
import { BASE, ID } from '../../support/course/asked.ts';
import {
  computedAs,
  effectGrants,
  effectItems,
  effectOf,
  effectRequests,
  effectsComputed,
  grantOf,
  intended,
  observed,
  requestOf,
} from '../../support/course/caused.ts';
import { leased } from '../../support/course/worked.ts';
import { courseAt, courseOf, replay, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, MISSION, missionAfter, when } from '../../support/given.ts';
import { refusal } from '../../support/refusals.ts';

const OTHER = '99'.repeat(32);

function by(...events: Event[]) {
  return events.map((event) => ({ event, by: CAST.writer }));
}

describe('a set of effects', () => {
  const closed = replay(courseAt('closed'), by(...effectRequests()));
  const { attempt, plan } = courseOf(closed);
  const compute = (said: EventOf<'effects.computed'>, changes: Partial<Course> = {}) =>
    when(withCourse(closed, changes), said, CAST.writer);
  const [push, pull] = effectItems() as [
    ReturnType<typeof effectItems>[number],
    ReturnType<typeof effectItems>[number],
  ];

  it('comes of an attempt, of work, of a verdict', () => {
    for (const gone of [null, { ...attempt!, work: null }, { ...attempt!, verdict: null }])
      expect(compute(effectsComputed(), { attempt: gone })).toEqual(refusal('nothing_done', { mission: MISSION }));
    expect(compute(effectsComputed())).toMatchObject({ is: 'accepted' });
  });

  it('is refused with what stands already', () => {
    expect(when(courseAt('computed'), effectsComputed(), CAST.writer)).toEqual(
      refusal('effects_planned', { attempt: ID.attempt }),
    );
    expect(when(courseAt('intended'), computedAs([push]), CAST.writer)).toEqual(refusal('effect_exists', { open: 2 }));
    expect(compute(effectsComputed({ effects_digest: OTHER }))).toEqual(
      refusal('plan_digest_mismatch', { digest: OTHER }),
    );
  });

  it('holds what was asked for, in its kind, of the kinds of the plan', () => {
    const unplanned = refusal('effect_unplanned', { kind: 'push_branch' });
    expect(compute(computedAs([{ ...push, action_request_ref: uuid('nothing') }]))).toEqual(unplanned);
    expect(compute(computedAs([{ ...push, action_request_ref: pull.action_request_ref }]))).toEqual(unplanned);
    const asks = plan!.asks.filter(({ kind }) => kind === 'open_pull_request');
    expect(compute(effectsComputed(), { plan: { ...plan!, asks } })).toEqual(unplanned);
    expect(compute(effectsComputed(), { plan: null })).toEqual(unplanned);
  });

  it('holds each request once, each deed once, and no deed that was done', () => {
    const twice = refusal('effect_exists', { effects: 2 });
    expect(compute(computedAs([push, { ...push, effect: OTHER }]))).toEqual(twice);
    const [asked] = effectRequests();
    const other = { ...asked!, entity_id: uuid('one more push') };
    const more = missionAfter(when(closed, other, CAST.writer));
    const same = computedAs([push, { ...push, action_request_ref: other.entity_id }]);
    expect(when(more, same, CAST.writer)).toEqual(twice);
    expect(compute(computedAs([push, pull]), { caused: [pull.effect] })).toEqual(twice);
  });

  it('takes the grants of effects along, and no others', () => {
    const run = courseOf(courseAt('granted')).grants[ID.execGrant]!;
    const gone = { ...run, request: uuid('a request that is over') };
    const ofPush = { ...run, request: requestOf('push_branch') };
    const grants = { [uuid('run')]: run, [uuid('gone')]: gone, [uuid('push')]: ofPush };
    const left = courseOf(missionAfter(compute(effectsComputed(), { grants }))).grants;
    expect(Object.keys(left).toSorted()).toEqual([uuid('run'), uuid('gone')].toSorted());
  });
});

describe('an intent', () => {
  const writing = courseAt('writing');
  const { attempt } = courseOf(writing);
  const planned = attempt!.planned!;
  const unplanned = refusal('effect_unplanned', { kind: 'push_branch' });
  const intend = (changes: Parameters<typeof intended>[1], course: Partial<Course> = {}) =>
    when(withCourse(writing, course), intended('push_branch', changes), CAST.writer);

  it('that is refused says under which lease and grant it was', () => {
    const readonly = replay(courseAt('computed'), by(leased(2, CAST.writer, 'readonly'), ...effectGrants({})));
    expect(when(readonly, intended('push_branch'), CAST.writer)).toEqual(
      refusal('lease_lost', { fence: 2, mode: 'readonly' }),
    );
    expect(intend({ grant_id: uuid('nothing') })).toEqual(refusal('grant_missing', { grant: uuid('nothing') }));
    expect(intend({ target: 'main' })).toEqual(
      refusal('grant_mismatch', { grant: grantOf('push_branch'), target: 'main' }),
    );
  });

  it('that is refused says what is open already', () => {
    const once = missionAfter(when(writing, intended('push_branch'), CAST.writer));
    const same = intended('open_pull_request', {}, effectOf('push_branch'));
    expect(when(once, same, CAST.writer)).toEqual(refusal('effect_exists', { effect: effectOf('push_branch') }));
  });

  it('is for one effect of the set: its kind, its deed, its words', () => {
    for (const changes of [{ effect: OTHER }, { params_ref: `sha256:${OTHER}` }])
      expect(intend(changes)).toEqual(unplanned);
    const otherKind = { ...intended('push_branch').payload, kind: 'open_pull_request' as const };
    expect(when(writing, { ...intended('push_branch'), payload: otherKind }, CAST.writer)).toEqual(
      refusal('effect_unplanned', { kind: 'open_pull_request' }),
    );
  });

  it('is nothing where nothing was computed', () => {
    const none = { ...planned, effects: [] };
    for (const gone of [null, { ...attempt!, planned: null }, { ...attempt!, planned: none }])
      expect(intend({}, { attempt: gone })).toEqual(unplanned);
  });

  it('comes once, whether the first one is open or over', () => {
    const exists = refusal('effect_exists', { action_request: requestOf('push_branch') });
    const open = courseOf(courseAt('intended')).effects[effectOf('push_branch')]!;
    expect(intend({}, { effects: { [uuid('first')]: open } })).toEqual(exists);
    const effects = planned.effects.map((one) => ({ ...one, intent: uuid('first') }));
    expect(intend({}, { attempt: { ...attempt!, planned: { ...planned, effects } } })).toEqual(exists);
  });

  it('goes onto the base of the plan', () => {
    const moved = '0c'.repeat(20);
    expect(intend({ witness: { base_commit: moved } })).toEqual(refusal('ref_moved', { base: moved, approved: BASE }));
    expect(intend({}, { plan: null })).toEqual(refusal('ref_moved', { base: BASE, approved: '' }));
  });

  it('stands in the set beside the effect that it is for', () => {
    const { attempt } = courseOf(missionAfter(when(writing, intended('push_branch'), CAST.writer)));
    expect(attempt!.planned!.effects.map(({ intent }) => intent)).toEqual([effectOf('push_branch'), null]);
  });
});

describe('what was seen of an effect', () => {
  it('is refused with what is known', () => {
    const seen = courseAt('observed');
    const other = { ...observed('push_branch'), entity_id: uuid('nothing') };
    expect(when(seen, other, CAST.writer)).toEqual(refusal('effect_unknown', { effect: uuid('nothing') }));
    expect(when(seen, observed('push_branch'), CAST.writer)).toEqual(
      refusal('effect_settled', { effect: effectOf('push_branch'), outcome: 'applied' }),
    );
  });
});
