// Effects: computed from verified work, intended before they are done, seen afterwards, receipted for what was seen. A
// crash in between never makes one happen twice, and what is unknown stays owed.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { effectsDigest } from '../../src/kernel/effect/evolve.ts';
import type { Event, EventOf } from '../../src/kernel/event.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { grant, ID, judged, onAttempt, SOON, WORK, type Said } from '../support/course/asked.ts';
import {
  effectGrants,
  effectItems,
  effectOf,
  effectRequests,
  effectsComputed,
  effectsDigestOf,
  grantOf,
  intended,
  observed,
  receipt,
  requestOf,
} from '../support/course/caused.ts';
import { cellClosed, leased, leaseReleased, verified } from '../support/course/worked.ts';
import { courseAt, courseOf, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, fact, missionAfter, MISSION, when } from '../support/given.ts';

function by(...events: Event[]): Said[] {
  return events.map((event) => ({ event, by: CAST.writer }));
}

describe('effects', () => {
  const closed = replay(courseAt('closed'), by(...effectRequests()));

  it('are computed once, from work that was verified', () => {
    expect(when(courseAt('computed'), effectsComputed(), CAST.writer)).toMatchObject({ code: 'effects_planned' });
    for (const stage of ['spawned', 'worked'] as const)
      expect(when(courseAt(stage), effectsComputed(), CAST.writer)).toMatchObject({ code: 'nothing_done' });
    const failing = verified({
      checks: [{ check: 'verify', exit_code: 1, level: 2, n: 0, output: `sha256:${'00'.repeat(32)}` }],
      verdict: 'unsatisfied',
    });
    const unsatisfied = missionAfter(when(courseAt('worked'), failing, CAST.runner));
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
    const course = courseOf(writing);
    const one = { ...Object.values(courseOf(courseAt('intended')).effects)[0]!, request: uuid('other') };
    const effects = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [uuid(`effect ${i}`), one]));
    expect(when({ ...writing, course: { ...course, effects } }, intended('push_branch'), CAST.writer)).toMatchObject({
      code: 'limit_reached',
      facts: { open_effects_max: 64 },
    });
  });
});

describe('an outcome', () => {
  const open = courseAt('intended');

  it('is of an effect that was intended', () => {
    expect(when(courseAt('writing'), observed('push_branch'), CAST.writer)).toMatchObject({ code: 'effect_unknown' });
  });

  it('that is known is final', () => {
    const seen = missionAfter(when(open, observed('push_branch', { outcome: 'refused' }), CAST.writer));
    expect(when(seen, observed('push_branch'), CAST.writer)).toMatchObject({
      code: 'effect_settled',
      facts: { outcome: 'refused' },
    });
  });

  it('moves the attempt on once every intent has one', () => {
    const one = missionAfter(when(open, observed('push_branch'), CAST.writer));
    expect(courseOf(one).attempt?.status).toBe('executing');
    const both = missionAfter(when(one, observed('open_pull_request'), CAST.writer));
    expect(courseOf(both).attempt?.status).toBe('observing');
  });

  it('may be found out by whoever takes over: intents do not end with a lease', () => {
    const left = replay(open, by(leaseReleased(2, CAST.writer, ID.effectLease), leased(3, CAST.writer, 'mutable')));
    expect(when(left, observed('push_branch'), CAST.writer)).toMatchObject({ code: 'lease_lost' });
    expect(when(left, observed('push_branch', { fence: 3 }), CAST.writer)).toMatchObject({ is: 'accepted' });
  });
});

it('an effect alone is no work: an attempt whose cell brought nothing has not succeeded', () => {
  const comment = uuid('comment');
  const [push] = effectRequests();
  const asked = {
    ...(push as EventOf<'action.requested'>),
    entity_id: comment,
    payload: {
      action_class: 'publication' as const,
      kind: 'post_comment' as const,
      params_ref: DIGEST,
      reversibility_hint: 'unknown' as const,
      target_resources: ['issues/3'],
    },
  };
  const own = {
    action_class: 'publication' as const,
    approval_ref: null,
    issued_to_principal_id: 'writer',
    resource_scope: ['issues/3'],
  };
  const about = { kind: 'post_comment' as const, grant_id: grantOf('push_branch'), target: 'issues/3' };
  const empty = replay(courseAt('spawned'), [
    { event: cellClosed(1), by: CAST.runner },
    { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ...by(
      leased(2, CAST.writer, 'mutable'),
      asked,
      judged(comment, CAST.writer, { result: 'allow' }),
      grant(comment, own, { by: CAST.writer, entity: grantOf('push_branch') }),
      intended('push_branch', about),
      observed('push_branch'),
      receipt('push_branch', { action_request_ref: comment }),
    ),
  ]);
  expect(courseOf(empty).attempt?.status).toBe('receipt_pending');
  expect(when(empty, succeeded(), CAST.writer)).toMatchObject({ code: 'nothing_done' });
});

describe('an unknown outcome', () => {
  const unknown = { outcome: 'unknown_outcome', reason: 'forge_silent' } as const;
  const pull = 'open_pull_request';
  const state = replay(
    courseAt('intended'),
    by(
      observed('push_branch'),
      observed(pull, unknown),
      receipt('push_branch'),
      receipt(pull, { result_code: 'unknown_outcome' }),
    ),
  );

  it('stays owed, receipt or no receipt', () => {
    expect(courseOf(state).effects[effectOf(pull)]).toMatchObject({ outcome: 'unknown_outcome' });
    for (const [said, code] of endings()) expect(when(state, said, CAST.writer)).toMatchObject({ code });
  });

  it('is not tried again', () => {
    const [, again] = effectGrants({});
    expect(when(state, { ...again!, entity_id: uuid('again') }, CAST.writer)).toMatchObject({ code: 'effect_exists' });
  });

  it('is settled by looking again, after the others had their receipts', () => {
    const settled = replay(state, by(observed(pull), receipt(pull)));
    expect(courseOf(settled)).toMatchObject({ effects: {}, receipts: 3, attempt: { status: 'receipt_pending' } });
    expect(when(settled, succeeded(), CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('may come out as a refusal, and then the attempt has not succeeded', () => {
    const refused = replay(
      state,
      by(observed(pull, { outcome: 'refused' }), receipt(pull, { result_code: 'refused' })),
    );
    expect(when(refused, succeeded(), CAST.writer)).toMatchObject({ code: 'effect_missing', facts: { kinds: [pull] } });
  });

  function endings() {
    return [
      [succeeded(), 'receipt_missing'],
      [onAttempt('attempt.failed', { because: 'x' }, CAST.writer, { entity: ID.attempt }), 'receipt_missing'],
      [fact('mission.ended', { because: 'x', outcome: 'failed' }, CAST.writer), 'mission_under_way'],
    ] as const;
  }
});

function succeeded() {
  return onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
}

describe('an effect that was refused', () => {
  const refusal = { outcome: 'refused', reason: 'branch_protected', oid: null } as const;
  const refused = replay(
    courseAt('intended'),
    by(
      observed('push_branch', refusal),
      observed('open_pull_request'),
      receipt('push_branch', { result_code: 'refused' }),
      receipt('open_pull_request'),
    ),
  );

  it('may be asked for again, and granted anew', () => {
    const again: MissionState = replay(refused, by(...effectRequests().slice(0, 2), effectGrants({})[0]!));
    const caused = replay(again, by(intended('push_branch'), observed('push_branch'), receipt('push_branch')));
    expect(courseOf(caused).attempt?.planned?.effects).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }]);
    expect(when(caused, succeeded(), CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('is missing until it was applied', () => {
    expect(when(refused, succeeded(), CAST.writer)).toMatchObject({ code: 'effect_missing' });
    expect(courseOf(refused).requests[requestOf('push_branch')]).toBeUndefined();
  });
});
