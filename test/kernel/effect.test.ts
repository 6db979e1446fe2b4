// Effects before they are done: computed from verified work, and intended, each exactly as planned, under a lease and a
// grant of its own.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { effectsDigest } from '../../src/kernel/effect/evolve.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { ID, SOON, WORK, type Said } from '../support/course/asked.ts';
import {
  effectGrants,
  effectItems,
  effectOf,
  effectRequests,
  effectsComputed,
  effectsDigestOf,
  grantOf,
  intended,
} from '../support/course/caused.ts';
import { checkClosed, leased, result, verified } from '../support/course/worked.ts';
import { courseAt, courseOf, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, missionAfter, MISSION, when } from '../support/given.ts';

function by(...events: Event[]): Said[] {
  return events.map((event) => ({ event, by: CAST.writer }));
}

describe('effects', () => {
  const closed = replay(courseAt('closed'), by(...effectRequests()));

  it('are computed once, from work that was verified', () => {
    expect(when(courseAt('computed'), effectsComputed(), CAST.writer)).toMatchObject({ code: 'effects_planned' });
    for (const stage of ['spawned', 'worked'] as const)
      expect(when(courseAt(stage), effectsComputed(), CAST.writer)).toMatchObject({ code: 'nothing_done' });
    const failing = verified({ checks: [result(0), result(1, { exit_code: 1 })], verdict: 'unsatisfied' });
    const said = [checkClosed(0), checkClosed(1, 1), failing].map((event) => ({ event, by: CAST.runner }));
    const unsatisfied = replay(courseAt('checking'), said);
    expect(when(unsatisfied, effectsComputed(), CAST.writer)).toMatchObject({ code: 'nothing_done' });
  });

  it('have the digest of this commit, this attempt, this mission', () => {
    const about = { mission_id: MISSION, attempt_id: ID.attempt, commit: WORK };
    expect(effectsDigest(nodeCrypto, about, effectItems())).toBe(effectsDigestOf());
    for (const other of [{ mission_id: uuid('m') }, { attempt_id: uuid('a') }, { commit: '00'.repeat(20) }]) {
      const effects_digest = effectsDigest(nodeCrypto, { ...about, ...other }, effectItems());
      expect(when(closed, effectsComputed({ effects_digest }), CAST.writer)).toMatchObject({
        code: 'plan_digest_mismatch',
      });
    }
    expect(when(closed, effectsComputed({ effects: effectItems().slice(1) }), CAST.writer)).toMatchObject({
      code: 'plan_digest_mismatch',
    });
  });

  it('were asked for, in their kind, one request each', () => {
    const [push] = effectItems();
    const said = (effects: (typeof push)[]) => {
      const about = { mission_id: MISSION, attempt_id: ID.attempt, commit: WORK };
      const list = effects.map((one) => one!);
      return effectsComputed({ effects: list, effects_digest: effectsDigest(nodeCrypto, about, list) });
    };
    const unasked = said([{ ...push!, action_request_ref: uuid('nothing') }]);
    expect(when(closed, unasked, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    const otherKind = said([{ ...push!, kind: 'open_pull_request' }]);
    expect(when(closed, otherKind, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    const twice = said([push!, { ...push!, effect: '99'.repeat(32) }]);
    expect(when(closed, twice, CAST.writer)).toMatchObject({ code: 'effect_exists' });
  });
});

describe('an intent', () => {
  const writing = courseAt('writing');

  it('is for an effect that was planned, exactly as planned', () => {
    const other = intended('push_branch', { effect: '99'.repeat(32) });
    expect(when(writing, other, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    const wrongGrant = intended('push_branch', { grant_id: grantOf('open_pull_request') });
    expect(when(writing, wrongGrant, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
    const elsewhere = intended('push_branch', { target: 'main' });
    expect(when(writing, elsewhere, CAST.writer)).toMatchObject({ code: 'grant_mismatch', facts: { target: 'main' } });
  });

  it('needs a grant that is there', () => {
    const none = intended('push_branch', { grant_id: uuid('nothing') });
    expect(when(writing, none, CAST.writer)).toMatchObject({ code: 'grant_missing' });
  });

  it('needs a grant that is the signer’s own and still valid', () => {
    const computed = replay(courseAt('computed'), by(leased(2, CAST.writer, 'mutable')));
    const granted = (changes: object): MissionState => {
      const [push] = effectGrants({});
      return replay(computed, by({ ...push!, payload: { ...push!.payload, ...changes } }));
    };
    const others = granted({ issued_to_principal_id: 'runners' });
    expect(when(others, intended('push_branch'), CAST.writer)).toMatchObject({ code: 'grant_mismatch' });
    const short = granted({ expires_at: '2026-11-18T10:00:00.001Z' });
    const later = { ...intended('push_branch'), occurred_at: SOON };
    expect(when(short, later, CAST.writer)).toMatchObject({ code: 'grant_expired' });
  });

  it('needs the base that people saw', () => {
    const moved = intended('push_branch', { witness: { base_commit: '0c'.repeat(20) } });
    expect(when(writing, moved, CAST.writer)).toMatchObject({ code: 'ref_moved' });
  });

  it('needs a lease for effects', () => {
    expect(when(writing, intended('push_branch', { fence: 1 }), CAST.writer)).toMatchObject({ code: 'lease_lost' });
    const computed = courseAt('computed');
    const readonly = replay(computed, by(leased(2, CAST.writer, 'readonly'), ...effectGrants({})));
    expect(when(readonly, intended('push_branch'), CAST.writer)).toMatchObject({
      code: 'lease_lost',
      facts: { mode: 'readonly' },
    });
  });

  it('has an id of its own and uses its grant up', () => {
    const once = missionAfter(when(writing, intended('push_branch'), CAST.writer));
    expect(courseOf(once).grants[grantOf('push_branch')]).toBeUndefined();
    const same = intended('open_pull_request', {}, effectOf('push_branch'));
    expect(when(once, same, CAST.writer)).toMatchObject({ code: 'effect_exists' });
    expect(when(once, intended('push_branch', {}, uuid('again')), CAST.writer)).toMatchObject({
      code: 'grant_missing',
    });
  });

  it('is one of 64', () => {
    const one = { ...Object.values(courseOf(courseAt('intended')).effects)[0]!, request: uuid('other') };
    const effects = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [uuid(`effect ${i}`), one]));
    expect(when(withCourse(writing, { effects }), intended('push_branch'), CAST.writer)).toMatchObject({
      code: 'limit_reached',
      facts: { open_effects_max: 64 },
    });
  });
});
