// The only way from a wish to an effect: asked, judged, agreed to, granted; narrow, for once, for a time. What somebody
// with a gate's, a person's or a writer's key would try to get around it.
import { describe, expect, it } from 'vitest';
import {
  approved,
  asked,
  grant,
  ID,
  judged,
  LATER,
  onAttempt,
  SOON,
  VAL,
  VIC,
  vote,
  withdrawal,
} from '../support/course/asked.ts';
import { leased, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, eventsUpTo, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, missionAfter, when } from '../support/given.ts';
import { member, testKey } from '../support/people.ts';

describe('a request', () => {
  const state = courseAt('created');

  it('is made once while it is open', () => {
    expect(when(courseAt('asked'), asked(), CAST.gate)).toMatchObject({ code: 'action_exists' });
  });

  it('says of which class its effect is, truly', () => {
    const said = asked();
    const other = { ...said, payload: { ...said.payload, kind: 'push_branch' as const } };
    expect(when(state, other, CAST.gate)).toMatchObject({ code: 'event_malformed' });
  });

  it('is one of 64', () => {
    let full = courseAt('asked');
    for (let i = 1; i < 64; i++) {
      const said = { ...asked(), entity_id: uuid(`request ${i}`) };
      full = missionAfter(when(full, said, CAST.gate));
    }
    const more = { ...asked(), entity_id: uuid('request 64') };
    expect(when(full, more, CAST.gate)).toMatchObject({ code: 'limit_reached', facts: { open_requests_max: 64 } });
  });
});

describe('what policy said', () => {
  const denied = missionAfter(when(courseAt('asked'), judged(ID.exec, CAST.gate, { result: 'deny' }), CAST.gate));

  it('stands: no second answer to the same request', () => {
    for (const result of ['allow', 'deny'] as const) {
      const again = { ...judged(ID.exec, CAST.gate, { result }), entity_id: uuid('second answer') };
      expect(when(denied, again, CAST.gate)).toMatchObject({ code: 'policy_result_final', facts: { result: 'deny' } });
    }
  });

  it('stands for the same thing under another id, too', () => {
    const other = { ...asked(), entity_id: uuid('the same, asked for again') };
    const again = missionAfter(when(denied, other, CAST.gate));
    const allowed = judged(other.entity_id, CAST.gate, { result: 'allow' });
    expect(when(again, allowed, CAST.gate)).toMatchObject({ code: 'policy_result_final' });
    const denying = judged(other.entity_id, CAST.gate, { result: 'deny' });
    expect(when(again, denying, CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

it('an effect is not asked for by a runner: what comes of its work is not its to say', () => {
  const payload = { ...asked().payload, action_class: 'vcs_mutation' as const, kind: 'push_branch' as const };
  const said = { ...asked(), entity_id: uuid('of a runner'), actor_id: CAST.runner.principalId, payload };
  expect(when(courseAt('spawned'), said, CAST.runner)).toMatchObject({ code: 'role_not_allowed' });
  const writers = { ...said, actor_id: CAST.writer.principalId };
  expect(when(courseAt('spawned'), writers, CAST.writer)).toMatchObject({ is: 'accepted' });
});

it('an id is drawn once: a vote under that of another, or a grant, is refused', () => {
  const granted = courseAt('granted');
  const revoked = onAttempt('grant.revoked', { because: 'halted' }, VIC, { entity: ID.execGrant });
  const again = missionAfter(when(granted, revoked, VIC));
  expect(when(again, grant(), CAST.gate)).toMatchObject({ code: 'id_repeated', facts: { id: ID.execGrant } });
});

describe('a grant to run', () => {
  it('needs the approval of people', () => {
    for (const stage of ['judged', 'awaiting', 'voted'] as const) {
      const code = stage === 'judged' ? 'approval_unknown' : 'quorum_missing';
      expect(when(courseAt(stage), grant(), CAST.gate)).toMatchObject({ code });
      expect(when(courseAt(stage), grant(ID.exec, { approval_ref: null }), CAST.gate)).toMatchObject({
        code: 'quorum_missing',
      });
    }
  });

  it('needs policy’s word, and policy’s word may be no', () => {
    const unjudged = replay(courseAt('approved'), []);
    const course = courseOf(unjudged);
    const silent = { [ID.exec]: { ...course.requests[ID.exec]!, policy: null } };
    expect(when(withCourse(unjudged, { requests: silent }), grant(), CAST.gate)).toMatchObject({
      code: 'grant_mismatch',
    });
    for (const result of ['deny', 'downgrade'] as const) {
      const denied = replay(courseAt('asked'), [
        { event: judged(ID.exec, CAST.gate, { result }), by: CAST.gate },
        ...eventsUpTo('approved').slice(eventsUpTo('judged').length),
      ]);
      expect(when(denied, grant(), CAST.gate)).toMatchObject({ code: 'policy_refused', facts: { result } });
    }
  });

  it('where policy allows it still needs the people that the tier asks for', () => {
    const allowed = replay(courseAt('asked'), [
      { event: judged(ID.exec, CAST.gate, { result: 'allow' }), by: CAST.gate },
      ...eventsUpTo('awaiting').slice(eventsUpTo('judged').length),
    ]);
    const alone = grant(ID.exec, { approval_ref: null });
    expect(when(allowed, alone, CAST.gate)).toMatchObject({ code: 'quorum_missing' });
    // A writer's lease is no sign that anybody agreed to the run.
    const withLease = missionAfter(when(allowed, leased(1, CAST.writer, 'mutable'), CAST.writer));
    expect(when(withLease, { ...alone, actor_id: 'writer' }, CAST.writer)).toMatchObject({ code: 'quorum_missing' });
  });

  it('needs nobody at tier 0 where policy allows it', () => {
    const about = { tier: 0 } as const;
    const allowed = missionAfter(
      when(courseAt('asked', about), judged(ID.exec, CAST.gate, { result: 'allow' }), CAST.gate),
    );
    const given = missionAfter(when(allowed, grant(ID.exec, { approval_ref: null }), CAST.gate));
    expect(courseOf(given).attempt?.status).toBe('authorized');
    const asks = missionAfter(when(courseAt('asked', about), judged(), CAST.gate));
    expect(when(asks, grant(ID.exec, { approval_ref: null }), CAST.gate)).toMatchObject({ code: 'quorum_missing' });
  });

  it('is for what was asked, judged and aimed at', () => {
    const state = courseAt('approved');
    const ask = (changes: object) => when(state, grant(ID.exec, changes), CAST.gate);
    expect(ask({ action_request_ref: uuid('nothing') })).toMatchObject({ code: 'action_unknown' });
    expect(ask({ action_class: 'write_local' })).toMatchObject({ code: 'grant_mismatch' });
    expect(ask({ policy_result_ref: uuid('another') })).toMatchObject({ code: 'grant_mismatch' });
    expect(ask({ resource_scope: ['src/**', 'docs/**'] })).toMatchObject({ code: 'grant_mismatch' });
    expect(ask({ resource_scope: [] })).toMatchObject({ is: 'accepted' });
  });

  it('is for the attempt at hand', () => {
    const late = { ...grant(), attempt_id: uuid('attempt 2') };
    expect(when(courseAt('approved'), late, CAST.gate)).toMatchObject({ code: 'attempt_stale' });
  });

  it('is given once', () => {
    const again = { ...grant(), entity_id: uuid('second grant') };
    expect(when(courseAt('granted'), again, CAST.gate)).toMatchObject({ code: 'grant_exists' });
  });

  it('ends with the approval, in time as well', () => {
    expect(when(courseAt('approved'), { ...grant(), occurred_at: LATER }, CAST.gate)).toMatchObject({
      code: 'approval_expired',
    });
    // The grant outlives the votes; it is of no use then.
    const long = missionAfter(
      when(courseAt('approved'), grant(ID.exec, { expires_at: '2026-12-01T00:00:00.000Z' }), CAST.gate),
    );
    const late = replay(long, [{ event: farLease(), by: CAST.runner }]);
    expect(when(late, { ...spawned(), occurred_at: LATER }, CAST.runner)).toMatchObject({ code: 'approval_expired' });
    expect(when(late, { ...spawned(), occurred_at: SOON }, CAST.runner)).toMatchObject({ is: 'accepted' });
  });

  it('is used by whom it was issued to, or by any runner where it says so, once and in time', () => {
    const rita = testKey('rita');
    const people = courseRoster(member(rita, { roles: ['runner'] }));
    const state = replay(courseAt('granted', {}, people), [{ event: leased(1, rita, 'isolated'), by: rita }]);
    const hers = { ...spawned(), actor_id: 'rita' };
    expect(when(state, hers, rita)).toMatchObject({ code: 'grant_mismatch', facts: { to: 'runner' } });
    const anyone = replay(courseAt('approved', {}, people), [
      { event: grant(ID.exec, { issued_to_principal_id: 'runners' }), by: CAST.gate },
      { event: leased(1, rita, 'isolated'), by: rita },
    ]);
    const running = missionAfter(when(anyone, hers, rita));
    expect(courseOf(running).grants).toEqual({});
    const early = grant(ID.exec, { expires_at: '2026-11-18T10:00:00.001Z' });
    const shortLived = replay(courseAt('approved'), [
      { event: early, by: CAST.gate },
      { event: leased(1, CAST.runner, 'isolated'), by: CAST.runner },
    ]);
    expect(when(shortLived, { ...spawned(), occurred_at: SOON }, CAST.runner)).toMatchObject({ code: 'grant_expired' });
  });

  it('is for one cell: not for many uses, not beside another one, not again when it is used up', () => {
    const many = grant(ID.exec, { max_uses: 64 });
    expect(when(courseAt('approved'), many, CAST.gate)).toMatchObject({ code: 'births_exhausted' });
    const other = { ...asked(), entity_id: uuid('another request to run') };
    const beside = replay(courseAt('granted'), [
      { event: other, by: CAST.gate },
      { event: judged(other.entity_id), by: CAST.gate },
    ]);
    const second = grant(other.entity_id, {}, { entity: uuid('another grant to run') });
    expect(when(beside, second, CAST.gate)).toMatchObject({ code: 'births_exhausted' });
    const again = grant(ID.exec, {}, { entity: uuid('another grant to run') });
    expect(when(courseAt('spawned'), again, CAST.gate)).toMatchObject({
      code: 'births_exhausted',
      facts: { births: 1 },
    });
  });

  it('is issued again after a vote was taken back: nothing was born under the first', () => {
    const back = replay(courseAt('granted'), [{ event: withdrawal(VIC), by: VIC }, vote({}, VAL)]);
    const agreed = missionAfter(when(back, approved({}, [VAL]), CAST.gate));
    const anew = grant(ID.exec, {}, { entity: uuid('grant to run anew') });
    expect(when(agreed, anew, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('is taken back by its id', () => {
    const revoked = (entity: string) => onAttempt('grant.revoked', { because: 'halted' }, VIC, { entity });
    expect(courseOf(missionAfter(when(courseAt('granted'), revoked(ID.execGrant), VIC))).grants).toEqual({});
    expect(when(courseAt('granted'), revoked(uuid('nothing')), VIC)).toMatchObject({ code: 'grant_missing' });
  });
});

function farLease() {
  const said = leased(1, CAST.runner, 'isolated');
  return { ...said, payload: { ...said.payload, expires_at: '2026-11-18T14:00:00.000Z' } };
}
