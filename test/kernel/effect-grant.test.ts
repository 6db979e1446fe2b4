// Grants for what reaches outside a cell: a writer's alone, within what people agreed to, and never twice for one effect.
import { describe, expect, it } from 'vitest';
import type { MissionState } from '../../src/kernel/state.ts';
import { asked, grant, ID, judged, policyOf, VIC, type Terms } from '../support/course/asked.ts';
import {
  computedAs,
  effectGrants,
  effectItems,
  effectRequests,
  effectsComputed,
  grantOf,
  intended,
  once,
  receipt,
  observed,
} from '../support/course/caused.ts';
import { leaseReleased } from '../support/course/worked.ts';
import { courseAt, courseOf, eventsUpTo, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, when } from '../support/given.ts';

describe('a grant for an effect', () => {
  const [pushGrant] = effectGrants({});

  /** Everything that comes before the effects' grants. */
  function ready(about: Terms = {}): MissionState {
    const said = eventsUpTo('writing', about).slice(0, eventsUpTo('effectsApproved', about).length + 1);
    return replay(courseAt('proposed', about), said.slice(eventsUpTo('proposed').length));
  }

  it('is a writer’s to give', () => {
    for (const by of [CAST.gate, VIC]) {
      const said = { ...pushGrant!, actor_id: by.principalId };
      expect(when(ready(), said, by)).toMatchObject({ code: 'role_not_allowed' });
    }
    expect(when(ready(), pushGrant!, CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('lies within the kinds that people agreed to', () => {
    const about = { plan: { asks: [] } };
    const asked = replay(
      courseAt('closed', about),
      effectRequests().map((event) => ({ event, by: CAST.writer })),
    );
    expect(when(asked, effectsComputed(), CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    expect(when(asked, pushGrant!, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
  });

  it('is for an effect that was computed from the work, and not for a kind that policy would allow', () => {
    const alone = once('push_branch', 'early');
    for (const stage of ['granted', 'worked', 'closed'] as const) {
      const asked = replay(courseAt(stage), [
        { event: alone.asked, by: CAST.writer },
        { event: { ...alone.judged, payload: { ...alone.judged.payload, result: 'allow' } }, by: CAST.writer },
      ]);
      expect(when(asked, alone.granted, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    }
  });

  it('falls with the set that it was given for', () => {
    const other = [{ ...effectItems()[0]!, effect: '77'.repeat(32) }];
    const replaced = replay(courseAt('writing'), [{ event: computedAs(other), by: CAST.writer }]);
    expect(courseOf(replaced).grants).toEqual({});
    const swapped = intended('push_branch', { effect: other[0]!.effect });
    expect(when(replaced, swapped, CAST.writer)).toMatchObject({ code: 'grant_missing' });
  });

  it('needs, from tier 2 on, a second approval of the exact effects', () => {
    const about = { tier: 2 } as const;
    const [second] = effectGrants(about);
    const withPlan = { ...second!, payload: { ...second!.payload, approval_ref: ID.approval } };
    expect(when(ready(about), withPlan, CAST.writer)).toMatchObject({ code: 'effects_approval_missing' });
    expect(when(ready(about), second!, CAST.writer)).toMatchObject({ is: 'accepted' });
    const alone = { ...second!, payload: { ...second!.payload, approval_ref: null } };
    expect(when(ready(about), alone, CAST.writer)).toMatchObject({ code: 'effects_approval_missing' });
  });

  it('at tier 2 is for the effects that were approved and for no other that is asked for under their name', () => {
    const about = { tier: 2 } as const;
    const other = uuid('one more push');
    const more = replay(ready(about), [
      { event: { ...effectRequests()[0]!, entity_id: other }, by: CAST.writer },
      { event: judged(other, CAST.writer), by: CAST.writer },
    ]);
    const [second] = effectGrants(about);
    const payload = { ...second!.payload, action_request_ref: other, policy_result_ref: policyOf(other) };
    expect(when(more, { ...second!, payload }, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
  });

  it('at tier 2 is not given under what was approved for the attempt before', () => {
    const about = { tier: 2 } as const;
    const state = ready(about);
    const course = courseOf(state);
    const planned = { ...course.attempt!.planned!, digest: '9d'.repeat(32) };
    const next = withCourse(state, { attempt: { ...course.attempt!, planned } });
    expect(when(next, effectGrants(about)[0]!, CAST.writer)).toMatchObject({ code: 'approval_stale' });
  });

  it('is never given for what policy cannot allow: money', () => {
    const pay = uuid('pay');
    const action_class = 'payment_or_spending' as const;
    const said = asked();
    const money = { ...said.payload, action_class, target_resources: [] };
    const state = replay(courseAt('approved'), [
      { event: { ...said, entity_id: pay, actor_id: 'writer', payload: money }, by: CAST.writer },
      { event: judged(pay, CAST.writer, { result: 'allow' }), by: CAST.writer },
    ]);
    const wanted = grant(pay, { action_class, resource_scope: [] }, { by: CAST.writer });
    expect(when(state, wanted, CAST.writer)).toMatchObject({ code: 'policy_refused' });
  });

  it('is not given again while the effect is open, nor after it was applied', () => {
    const open = courseAt('intended');
    const again = { ...pushGrant!, entity_id: uuid('again') };
    expect(when(open, again, CAST.writer)).toMatchObject({ code: 'effect_exists' });
    expect(when(courseAt('receipted'), again, CAST.writer)).toMatchObject({ code: 'action_unknown' });
    // Asked for again under another id: the set that it would have to stand in remembers that it is done.
    const anew = once('push_branch', 'anew');
    const asked = replay(courseAt('receipted'), [
      { event: anew.asked, by: CAST.writer },
      { event: anew.judged, by: CAST.writer },
    ]);
    expect(when(asked, anew.granted, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    expect(when(asked, computedAs([anew.item]), CAST.writer)).toMatchObject({ code: 'effect_exists' });
  });

  it('for several uses is of no more use once its effect has its receipt', () => {
    const many = { ...pushGrant!, payload: { ...pushGrant!.payload, max_uses: 3 } };
    const state = replay(ready(), [
      { event: many, by: CAST.writer },
      { event: intended('push_branch'), by: CAST.writer },
    ]);
    const twice = intended('push_branch', {}, uuid('effect again'));
    expect(when(state, twice, CAST.writer)).toMatchObject({ code: 'effect_exists' });
    const done = replay(state, [
      { event: observed('push_branch'), by: CAST.writer },
      { event: receipt('push_branch'), by: CAST.writer },
    ]);
    expect(courseOf(done).grants[grantOf('push_branch')]).toBeUndefined();
    expect(when(done, twice, CAST.writer)).toMatchObject({ code: 'grant_missing' });
  });

  it('is one of 64', () => {
    const state = ready();
    const one = { ...courseOf(courseAt('granted')).grants[ID.execGrant]!, request: uuid('other') };
    const grants = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [uuid(`grant ${i}`), one]));
    expect(when(withCourse(state, { grants }), pushGrant!, CAST.writer)).toMatchObject({
      code: 'limit_reached',
      facts: { open_grants_max: 64 },
    });
  });

  it('falls when its lease is gone only where it is used', () => {
    const state = replay(courseAt('writing'), [
      { event: leaseReleased(2, CAST.writer, ID.effectLease), by: CAST.writer },
    ]);
    expect(when(state, intended('push_branch'), CAST.writer)).toMatchObject({ code: 'lease_lost' });
  });
});
