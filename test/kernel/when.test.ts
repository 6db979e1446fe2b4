// What a signer's own word about the time is worth: dated back it opens nothing that is over, dated ahead it throws
// nobody out who may not be thrown out, and nothing is taken or asked for ever.
import { describe, expect, it } from 'vitest';
import { whatIsDue } from '../../src/kernel/decide/due.ts';
import { decideEnd, decideExpiry } from '../../src/kernel/decide/end.ts';
import type { Event } from '../../src/kernel/event.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../src/kernel/course/when.ts';
import { approvalAsked, ID, LATER, NOW, onAttempt, SOON, VIC, vote } from '../support/course/asked.ts';
import { effectGrants, intended } from '../support/course/caused.ts';
import { leased, leaseReleased, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay, type Stage } from '../support/course.ts';
import { CAST, fact, missionAfter, when } from '../support/given.ts';
import { member, testKey, type TestKey } from '../support/people.ts';

const RITA = testKey('rita');
const people = courseRoster(member(RITA, { roles: ['runner'] }));

/** A gate or a writer says anything at all at that time. */
function heardAt(stage: Stage, occurred_at: string, by: TestKey = CAST.gate) {
  const anchored = fact('projection.anchored', { comment_id: 7, issue: 3, kind: 'status_comment' }, by, {
    occurred_at,
  });
  return missionAfter(when(courseAt(stage, {}, people), anchored, by));
}

function at<E extends Event>(said: E, occurred_at: string): E {
  return { ...said, occurred_at };
}

describe('an event dated back', () => {
  const late: readonly (readonly [string, Stage, Event, TestKey])[] = [
    ['a lease under a grant that is over', 'granted', leased(1, CAST.runner, 'isolated'), CAST.runner],
    ['a cell under a grant that is over', 'leased', spawned(), CAST.runner],
    ['a vote for what nobody may vote on any more', 'awaiting', vote({}, VIC).event, VIC],
    ['an effect under an approval that is over', 'writing', intended('push_branch'), CAST.writer],
    ['a grant under an approval that is over', 'computed', effectGrants({})[0]!, CAST.writer],
  ];

  it.each(late)('is refused: %s', (_, stage, said, by) => {
    // By its own word in time; by the ledger's order it is not.
    expect(when(courseAt(stage, {}, people), said, by)).toMatchObject({ is: 'accepted' });
    expect(when(heardAt(stage, LATER), said, by)).toMatchObject({ code: 'clock_behind', facts: { as_of: LATER } });
  });

  it('may lag behind by no more than clocks do', () => {
    const tolerated = `2026-11-18T10:0${CLOCK_TOLERANCE_SECONDS / 60}:00.999Z`;
    const beyond = `2026-11-18T10:0${CLOCK_TOLERANCE_SECONDS / 60}:01.000Z`;
    const said = at(leased(1, CAST.runner, 'isolated'), NOW);
    expect(when(heardAt('granted', tolerated), said, CAST.runner)).toMatchObject({ is: 'accepted' });
    expect(when(heardAt('granted', beyond), said, CAST.runner)).toMatchObject({ code: 'clock_behind' });
  });

  it('is judged across days, months and leap years', () => {
    for (const [then, now, is] of [
      ['2027-02-28T23:59:00.000Z', '2027-03-01T00:01:00.000Z', 'accepted'],
      ['2028-02-28T23:59:00.000Z', '2028-03-01T00:01:00.000Z', 'refused'],
      ['2026-12-31T23:59:00.000Z', '2027-01-01T00:01:00.000Z', 'accepted'],
      ['2026-12-31T23:50:00.000Z', '2027-01-01T00:01:00.000Z', 'refused'],
    ] as const) {
      const anchored = fact('projection.anchored', { comment_id: 8, issue: 3, kind: 'status_comment' }, CAST.gate);
      expect(when(heardAt('granted', now), at(anchored, then), CAST.gate)).toMatchObject({ is });
    }
  });
});

describe('an event dated ahead', () => {
  it('by a runner or a person leaves nobody else behind', () => {
    const far = '2026-11-18T11:59:00.000Z';
    const state = replay(courseAt('awaiting'), [{ event: at(vote({}, VIC).event, far), by: VIC }]);
    expect(courseOf(state).as_of).toBe(NOW);
    const held = missionAfter(when(courseAt('granted'), at(leased(1, CAST.runner, 'isolated'), far), CAST.runner));
    expect(courseOf(held).as_of).toBe(NOW);
  });

  it('throws no runner out: only those who keep the time end a lease that is over', () => {
    const expired = onAttempt('lease.expired', { fence: 1, silence: null }, RITA, {
      entity: ID.cellLease,
      occurred_at: LATER,
    });
    expect(when(courseAt('leased', {}, people), expired, RITA)).toMatchObject({ code: 'role_not_allowed' });
  });
});

describe('nothing is for ever', () => {
  const until = (said: Event, expires_at: string): Event =>
    ({ ...said, payload: { ...said.payload, expires_at } }) as Event;

  it.each([
    ['a runner’s lease', 'granted', leased(1, CAST.runner, 'isolated'), CAST.runner, '2026-11-18T15:00:00.000Z'],
    ['a writer’s lease', 'computed', leased(2, CAST.writer, 'mutable'), CAST.writer, '2026-11-18T12:00:00.000Z'],
    ['a question to people', 'judged', approvalAsked(), CAST.gate, '2026-12-18T10:00:00.000Z'],
  ] as const)('%s', (_, stage, said, by, longest) => {
    expect(when(courseAt(stage), until(said, longest), by)).toMatchObject({ is: 'accepted' });
    const beyond = longest.replace(':00.000Z', ':01.000Z');
    expect(when(courseAt(stage), until(said, beyond), by)).toMatchObject({ code: 'window_too_long' });
    expect(when(courseAt(stage), until(said, '9999-12-31T23:59:59.999Z'), by)).toMatchObject({
      code: 'window_too_long',
    });
  });

  it('and a lease begins under a grant that still runs', () => {
    const begun = until(at(leased(1, CAST.runner, 'isolated'), LATER), '2026-11-18T13:00:00.000Z');
    expect(when(courseAt('granted'), begun, CAST.runner)).toMatchObject({ code: 'grant_expired' });
    expect(when(courseAt('approved'), leased(1, CAST.runner, 'isolated'), CAST.runner)).toMatchObject({
      code: 'grant_missing',
    });
  });
});

describe('a mission whose time for approving is over', () => {
  const names = (what: string): string => `for ${what}`;

  it.each(['awaiting', 'voted'] as const)('ends, when it had come to: %s', (stage) => {
    const state = courseAt(stage);
    expect(whatIsDue(state, { now: SOON })).not.toEqual({ is: 'expire' });
    expect(decideExpiry(state, SOON, names)).toMatchObject({ code: 'approval_unknown' });
    expect(whatIsDue(state, { now: LATER })).toEqual({ is: 'expire' });
    expect(decideExpiry(state, LATER, names)).toMatchObject({ is: 'accepted' });
  });

  it('is not ended once people agreed: they are asked anew; nor while somebody works, nor while an effect is open', () => {
    for (const stage of ['granted', 'leased', 'spawned', 'intended'] as const)
      expect(whatIsDue(courseAt(stage), { now: LATER })).not.toEqual({ is: 'expire' });
  });
});

describe('an attempt that is not the runner’s to give up', () => {
  const failed = (by: TestKey) => onAttempt('attempt.failed', { because: 'no_more' }, by, { entity: ID.attempt });

  it.each(['awaiting', 'closed', 'computed'] as const)('is not failed by it: %s', (stage) => {
    expect(when(courseAt(stage), failed(CAST.runner), CAST.runner)).toMatchObject({ code: 'lease_lost' });
  });

  it('but before anybody began it, by whichever runner finds that it cannot', () => {
    const unleased = (because: string, occurred_at = NOW) => {
      const said = onAttempt('attempt.failed', { because }, RITA, { entity: ID.attempt, occurred_at });
      return when(courseAt('granted', {}, people), said, RITA);
    };
    expect(unleased('sandbox_missing')).toMatchObject({ is: 'accepted' });
    // It judges its own machine, and neither the work nor the world.
    for (const because of ['verify_failed', 'scope_violated', 'ref_moved', 'approval_denied'])
      expect(unleased(because)).toMatchObject({ code: 'lease_lost' });
    expect(unleased('grant_expired')).toMatchObject({ code: 'lease_lost' });
    expect(unleased('grant_expired', LATER)).toMatchObject({ is: 'accepted' });
  });

  it('nor by another runner than the one who holds it', () => {
    expect(when(courseAt('leased', {}, people), failed(RITA), RITA)).toMatchObject({ code: 'lease_lost' });
    expect(when(courseAt('leased', {}, people), failed(CAST.runner), CAST.runner)).toMatchObject({ is: 'accepted' });
  });

  it('and what it gave up, a gate or a writer ends', () => {
    const state = replay(courseAt('leased'), [
      { event: failed(CAST.runner), by: CAST.runner },
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ]);
    const ended = (by: TestKey, outcome: 'done' | 'failed') =>
      when(state, fact('mission.ended', { because: 'no_more', outcome }, by), by);
    expect(decideEnd(state)).toMatchObject({ is: 'accepted' });
    expect(ended(CAST.runner, 'failed')).toMatchObject({ code: 'role_not_allowed' });
    expect(ended(CAST.gate, 'failed')).toMatchObject({ is: 'accepted' });
    expect(ended(CAST.writer, 'failed')).toMatchObject({ is: 'accepted' });
  });

  it('and that a mission is done, only the writer says', () => {
    const ended = (by: TestKey) =>
      when(courseAt('succeeded'), fact('mission.ended', { because: 'verified', outcome: 'done' }, by), by);
    expect(ended(CAST.gate)).toMatchObject({ code: 'role_not_allowed' });
    expect(ended(CAST.writer)).toMatchObject({ is: 'accepted' });
  });
});
