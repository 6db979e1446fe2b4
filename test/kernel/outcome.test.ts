// What became of effects: a known outcome is final, an unknown one stays owed and is never tried again, a refused one may
// be; and an effect alone makes no success.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/kernel/event.ts';
import { EFFECTS, ID, onAttempt, type Said } from '../support/course/asked.ts';
import {
  computedAs,
  effectGrants,
  effectOf,
  observed,
  once,
  receipt,
  requestOf,
  runReceipt,
} from '../support/course/caused.ts';
import { leased, leaseReleased } from '../support/course/worked.ts';
import { courseAt, courseOf, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, fact, missionAfter, when } from '../support/given.ts';

function by(...events: Event[]): Said[] {
  return events.map((event) => ({ event, by: CAST.writer }));
}

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
    const settled = replay(state, by(observed(pull), receipt(pull), runReceipt()));
    expect(courseOf(settled)).toMatchObject({ effects: {}, receipts: 5, attempt: { status: 'receipt_pending' } });
    expect(when(settled, succeeded(), CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('may come out as a refusal, and then the attempt has not succeeded', () => {
    const refused = replay(
      state,
      by(observed(pull, { outcome: 'refused' }), receipt(pull, { result_code: 'refused' }), runReceipt()),
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

  const anew = once('push_branch', 'anew');
  const asked = replay(refused, by(anew.asked, anew.judged));

  it('may be computed again, under a request of its own, and then be applied', () => {
    const caused = replay(
      asked,
      by(computedAs([anew.item]), anew.granted, anew.intended, anew.observed(), anew.receipt(), runReceipt()),
    );
    expect(courseOf(caused).attempt).toMatchObject({ applied: ['open_pull_request', 'push_branch'] });
    expect(when(caused, succeeded(), CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('is not intended again before it was computed again', () => {
    expect(when(asked, anew.granted, CAST.writer)).toMatchObject({ code: 'effect_unplanned' });
  });

  it('does not bring back what was applied beside it', () => {
    const pull = once('open_pull_request', 'again');
    const both = replay(asked, by(pull.asked, pull.judged));
    expect(when(both, computedAs([anew.item, pull.item]), CAST.writer)).toMatchObject({ code: 'effect_exists' });
  });

  it('is computed again only when nothing is open', () => {
    const open = replay(courseAt('intended'), by(anew.asked, anew.judged));
    expect(when(open, computedAs([anew.item]), CAST.writer)).toMatchObject({ code: 'effect_exists' });
  });

  it('is missing until it was applied', () => {
    const ran = replay(refused, by(runReceipt()));
    expect(when(ran, succeeded(), CAST.writer)).toMatchObject({ code: 'effect_missing' });
    expect(courseOf(refused).requests[requestOf('push_branch')]).toBeUndefined();
  });

  it('is not left out of another set to make the mission done: its kind was asked for', () => {
    const kept = once('open_pull_request', 'second');
    const other = { ...kept.item, effect: '77'.repeat(32) };
    const without = replay(refused, by(kept.asked, kept.judged, computedAs([other]), kept.granted));
    const intent = { ...kept.intended, payload: { ...kept.intended.payload, effect: other.effect } };
    const done = replay(without, by(intent, kept.observed(), kept.receipt(), runReceipt()));
    expect(when(done, succeeded(), CAST.writer)).toMatchObject({
      code: 'effect_missing',
      facts: { kinds: ['push_branch'] },
    });
  });
});

describe('work that causes nothing', () => {
  const verified = replay(courseAt('closed'), by(leased(2, CAST.writer, 'mutable'), runReceipt()));
  const course = courseOf(verified);
  const at = (changes: object) => withCourse(verified, changes);
  const pending = { ...course.attempt!, status: 'receipt_pending' as const };

  it('is not done where effects were asked for', () => {
    expect(when(at({ attempt: pending }), succeeded(), CAST.writer)).toMatchObject({
      code: 'effect_missing',
      facts: { kinds: ['push_branch', 'open_pull_request'] },
    });
  });

  it('is done where none were, or where policy denied each of them', () => {
    const plan = { ...course.plan!, asks: [] };
    expect(when(at({ attempt: pending, plan }), succeeded(), CAST.writer)).toMatchObject({ is: 'accepted' });
    const one = { action_class: 'publication', targets: [], params_ref: null, receipted: true };
    const denied = Object.fromEntries(
      EFFECTS.map(({ kind }) => [requestOf(kind), { ...one, kind, policy: { ref: uuid('no'), result: 'deny' } }]),
    );
    expect(when(at({ attempt: pending, requests: denied }), succeeded(), CAST.writer)).toMatchObject({
      is: 'accepted',
    });
  });
});
