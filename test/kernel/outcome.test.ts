// What became of effects: a known outcome is final, an unknown one stays owed and is never tried again, a refused one may
// be; and an effect alone makes no success.
import { describe, expect, it } from 'vitest';
import type { Event, EventOf } from '../../src/kernel/event.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { grant, ID, judged, onAttempt, type Said } from '../support/course/asked.ts';
import {
  effectGrants,
  effectOf,
  effectRequests,
  grantOf,
  intended,
  observed,
  receipt,
  requestOf,
} from '../support/course/caused.ts';
import { cellClosed, leased, leaseReleased } from '../support/course/worked.ts';
import { courseAt, courseOf, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, fact, missionAfter, when } from '../support/given.ts';

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
