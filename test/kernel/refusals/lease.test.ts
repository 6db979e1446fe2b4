// What a refused lease tells its reader, and the last moments and other people's grants that decide about one.
import { describe, expect, it } from 'vitest';
import { ID, LATER, NOW, onAttempt, SOON } from '../../support/course/asked.ts';
import { leased, leaseReleased } from '../../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, when } from '../../support/given.ts';
import { member, testKey } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const RITA = testKey('rita');
const people = courseRoster(member(RITA, { roles: ['runner'] }));
const run = leased(1, CAST.runner, 'isolated');

function until<E extends typeof run>(said: E, expires_at: string): E {
  return { ...said, payload: { ...said.payload, expires_at } };
}

describe('a lease that is refused says', () => {
  it('which fence is due', () => {
    expect(when(courseAt('granted'), leased(3, CAST.runner, 'isolated'), CAST.runner)).toEqual(
      refusal('fence_stale', { fence: 3, expected: 1 }),
    );
  });

  it('who takes it for whom', () => {
    const forAnother = { ...leased(1, RITA, 'isolated'), actor_id: 'runner' };
    expect(when(courseAt('granted', {}, people), forAnother, CAST.runner)).toEqual(
      refusal('actor_mismatch', { actor: 'rita', signer: 'runner' }),
    );
  });

  it('when its time was over', () => {
    expect(when(courseAt('granted'), until(run, NOW), CAST.runner)).toEqual(
      refusal('lease_lost', { fence: 1, expired_at: NOW }),
    );
  });

  it('what its holder wants it for', () => {
    expect(when(courseAt('granted'), leased(1, CAST.writer, 'isolated'), CAST.writer)).toEqual(
      refusal('role_not_allowed', { event_type: 'lease.acquired', principal: 'writer', mode: 'isolated' }),
    );
  });

  it('how long the longest one is', () => {
    const far = '2026-11-19T10:00:00.000Z';
    expect(when(courseAt('granted'), until(run, far), CAST.runner)).toEqual(
      refusal('window_too_long', { expires_at: far, minutes_max: 300 }),
    );
    expect(when(courseAt('computed'), until(leased(2, CAST.writer, 'mutable'), far), CAST.writer)).toEqual(
      refusal('window_too_long', { expires_at: far, minutes_max: 120 }),
    );
  });

  it('that nothing was granted to run under it', () => {
    const missing = refusal('grant_missing', { mode: 'isolated' });
    expect(when(courseAt('approved'), run, CAST.runner)).toEqual(missing);
    // Before anything is said of how long it would be.
    expect(when(courseAt('approved'), until(run, '2026-11-19T10:00:00.000Z'), CAST.runner)).toEqual(missing);
  });

  it('how many grants had run out', () => {
    const late = { ...until(run, '2026-11-18T13:00:00.000Z'), occurred_at: LATER };
    expect(when(courseAt('granted'), late, CAST.runner)).toEqual(refusal('grant_expired', { grants: 1 }));
  });

  it('who holds which one, where it is given back', () => {
    const held = courseAt('leased', {}, people);
    expect(when(held, leaseReleased(2, CAST.runner, ID.cellLease), CAST.runner)).toEqual(
      refusal('lease_lost', { fence: 2, current: 1 }),
    );
    expect(when(held, leaseReleased(1, RITA, ID.cellLease), RITA)).toEqual(
      refusal('lease_held', { holder: 'runner', fence: 1 }),
    );
    const expired = onAttempt('lease.expired', { fence: 2, silence: null }, CAST.gate, {
      entity: ID.cellLease,
      occurred_at: LATER,
    });
    expect(when(held, expired, CAST.gate)).toEqual(refusal('lease_lost', { fence: 2, current: 1 }));
  });
});

describe('a lease to run a cell', () => {
  const granted = courseAt('granted');
  const grant = courseOf(granted).grants[ID.execGrant]!;
  const late = { ...until(run, '2026-11-18T13:00:00.000Z'), occurred_at: SOON };

  it('is still to be had in the last moment of its grant', () => {
    expect(when(granted, late, CAST.runner)).toMatchObject({ is: 'accepted' });
  });

  it('is to be had while one of several grants still runs, whichever stands first', () => {
    const over = { ...grant, expires_at: NOW };
    for (const ids of [
      [uuid('a'), uuid('b')],
      [uuid('b'), uuid('a')],
    ]) {
      const grants = { [ids[0]!]: over, [ids[1]!]: grant };
      expect(when(withCourse(granted, { grants }), late, CAST.runner)).toMatchObject({ is: 'accepted' });
    }
  });

  it('is not to be had under a grant for something else', () => {
    const other = withCourse(granted, { grants: { [uuid('push')]: { ...grant, action_class: 'vcs_mutation' } } });
    expect(when(other, run, CAST.runner)).toMatchObject({ code: 'grant_missing' });
  });
});
