// Who may work now: one lease at a time, fences that only rise, and the zombies that they keep out.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event, EventOf } from '../../src/kernel/event.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { ID, LATER, NOW, onAttempt, SOON } from '../support/course/asked.ts';
import { intended, observed } from '../support/course/caused.ts';
import { cellClosed, claimed, leased, leaseReleased, spawned, verified, worked } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';
import { member, testKey, type TestKey } from '../support/people.ts';

const RITA = testKey('rita');
/** A second runner, as trusted as the first. */
const people = courseRoster(member(RITA, { roles: ['runner'] }));

function expired(fence: number, at = LATER, by: TestKey = CAST.gate): Event {
  return onAttempt('lease.expired', { fence, silence: null }, by, { entity: ID.cellLease, occurred_at: at });
}

describe('a lease', () => {
  const granted = courseAt('granted', {}, people);
  const held = courseAt('leased', {}, people);

  it('is held by one at a time', () => {
    expect(when(held, leased(2, RITA, 'isolated'), RITA)).toMatchObject({
      code: 'lease_held',
      facts: { holder: 'runner', fence: 1 },
    });
    expect(when(held, leased(2, CAST.writer, 'mutable'), CAST.writer)).toMatchObject({ code: 'lease_held' });
  });

  it.each([0, 1, 3, 900])('takes the next fence, not %i', (fence) => {
    const once = missionAfter(when(held, leaseReleased(1, CAST.runner, ID.cellLease), CAST.runner));
    expect(when(once, leased(fence, RITA, 'isolated'), RITA)).toMatchObject({ code: 'fence_stale' });
    expect(when(once, leased(2, RITA, 'isolated'), RITA)).toMatchObject({ is: 'accepted' });
  });

  it('is for the attempt at hand', () => {
    const stale = { ...leased(1, CAST.writer, 'mutable'), attempt_id: uuid('attempt 2') };
    expect(when(granted, stale, CAST.writer)).toMatchObject({ code: 'attempt_stale' });
  });

  it('is taken by its holder, for a time that is still to come', () => {
    const forAnother = { ...leased(1, RITA, 'isolated'), actor_id: 'runner' };
    expect(when(granted, forAnother, CAST.runner)).toMatchObject({ code: 'actor_mismatch' });
    const over = leased(1, CAST.runner, 'isolated');
    const past = { ...over, payload: { ...over.payload, expires_at: NOW } };
    expect(when(granted, past, CAST.runner)).toMatchObject({ code: 'lease_lost' });
  });

  it('to run a cell is a runner’s, to cause effects a writer’s', () => {
    expect(when(granted, leased(1, CAST.writer, 'isolated'), CAST.writer)).toMatchObject({ code: 'role_not_allowed' });
    for (const mode of ['mutable', 'readonly', 'external_effects_disabled'] as const)
      expect(when(granted, leased(1, CAST.runner, mode), CAST.runner)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('to run a cell is not to be had before the attempt is authorized', () => {
    for (const stage of ['created', 'asked', 'awaiting', 'voted'] as const)
      expect(when(courseAt(stage), leased(1, CAST.runner, 'isolated'), CAST.runner)).toMatchObject({
        code: 'attempt_transition_illegal',
      });
  });

  it('is given back by its holder under its fence, be it late', () => {
    expect(when(held, leaseReleased(2, CAST.runner, ID.cellLease), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    expect(when(held, leaseReleased(1, RITA, ID.cellLease), RITA)).toMatchObject({ code: 'lease_held' });
    const late = { ...leaseReleased(1, CAST.runner, ID.cellLease), occurred_at: LATER };
    expect(courseOf(missionAfter(when(held, late, CAST.runner))).lease).toBeNull();
    expect(when(granted, leaseReleased(0, CAST.runner, ID.cellLease), CAST.runner)).toMatchObject({
      code: 'lease_lost',
    });
  });

  it('is taken from a holder whose time is over, and not before', () => {
    expect(when(held, expired(1, SOON), CAST.gate)).toMatchObject({ code: 'lease_held', facts: { until: SOON } });
    expect(when(held, expired(2), CAST.gate)).toMatchObject({ code: 'lease_lost' });
    expect(when(granted, expired(0), CAST.gate)).toMatchObject({ code: 'lease_lost' });
    expect(courseOf(missionAfter(when(held, expired(1), CAST.gate)))).toMatchObject({ lease: null, fence: 1 });
  });
});

describe('a lease whose holder is silent', () => {
  const held = courseAt('leased', {}, people);
  const BEACON = { at: '2026-11-18T10:00:00.000Z', digest: DIGEST, no: 7 };
  const THREE_MINUTES_LATER = '2026-11-18T10:03:00.000Z';
  type Silence = EventOf<'lease.expired'>['payload']['silence'];
  const silent = (silence: Silence, at = THREE_MINUTES_LATER, fence = 1): Event =>
    onAttempt('lease.expired', { fence, silence }, CAST.gate, { entity: ID.cellLease, occurred_at: at });

  it('is taken from it three minutes after its last beacon, long before its time is over', () => {
    const taken = when(held, silent({ beacon: BEACON, seconds: 180 }), CAST.gate);
    expect(courseOf(missionAfter(taken))).toMatchObject({ lease: null, fence: 1 });
  });

  it.each([
    ['a moment too soon', silent({ beacon: BEACON, seconds: 180 }, '2026-11-18T10:02:59.000Z')],
    ['for a longer silence than there was', silent({ beacon: BEACON, seconds: 181 })],
    [
      'by a beacon from before the lease',
      silent({ beacon: { ...BEACON, at: '2026-11-18T09:59:59.999Z' }, seconds: 180 }),
    ],
    [
      'by a beacon that is still to come',
      silent({ beacon: { ...BEACON, at: '2026-11-18T10:30:00.000Z' }, seconds: 180 }),
    ],
    ['without a word about any beacon', silent(null)],
  ])('is not taken from it %s', (_, said) => {
    expect(when(held, said, CAST.gate)).toMatchObject({ code: 'lease_held', facts: { holder: 'runner', until: SOON } });
  });

  it('is the one with this fence', () => {
    const said = silent({ beacon: BEACON, seconds: 180 }, THREE_MINUTES_LATER, 2);
    expect(when(held, said, CAST.gate)).toMatchObject({ code: 'lease_lost' });
  });

  it('is not a writer’s: what that one caused is looked at when its time is over', () => {
    const said = { ...silent({ beacon: BEACON, seconds: 180 }, THREE_MINUTES_LATER, 2), entity_id: ID.effectLease };
    expect(when(courseAt('writing'), said, CAST.gate)).toMatchObject({ code: 'lease_held' });
  });

  it('is not another runner’s to take', () => {
    const said = { ...silent({ beacon: BEACON, seconds: 180 }), actor_id: 'rita' };
    expect(when(held, said, RITA)).toMatchObject({ code: 'role_not_allowed' });
  });
});

describe('a zombie, whose lease was taken from it', () => {
  // The first runner's cell is closed by the gate and its attempt goes on under another runner; then it wakes up.
  const brief = leased(1, CAST.runner, 'isolated');
  const state = replay(courseAt('granted', {}, people), [
    { event: { ...brief, payload: { ...brief.payload, expires_at: '2026-11-18T10:02:00.000Z' } }, by: CAST.runner },
    { event: expired(1, '2026-11-18T10:02:00.001Z'), by: CAST.gate },
    { event: leased(2, RITA, 'isolated'), by: RITA },
  ]);
  const zombie: readonly Event[] = [
    spawned(),
    claimed(),
    worked(),
    verified(),
    onAttempt('blocked.raised', { document: DIGEST, fence: 1 }, CAST.runner, { entity: uuid('question') }),
    onAttempt('work.refused', { because: 'late', fence: 1, scope_audit: null }, CAST.runner, { entity: uuid('work') }),
  ];

  it.each(zombie.map((said) => [said.event_type, said] as const))('gets no %s through', (_, said) => {
    expect(when(state, said, CAST.runner)).toMatchObject({ code: 'lease_lost', facts: { fence: 1, current: 2 } });
    const claimingMore = { ...said, payload: { ...said.payload, fence: 2 } } as Event;
    expect(when(state, claimingMore, CAST.runner)).toMatchObject({ code: 'lease_held', facts: { holder: 'rita' } });
  });

  it('compiles no context and takes no lease of its own', () => {
    const context = onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner, { entity: ID.attempt });
    expect(when(state, context, CAST.runner)).toMatchObject({ code: 'lease_held' });
    expect(when(state, leased(2, CAST.runner, 'isolated'), CAST.runner)).toMatchObject({ code: 'lease_held' });
  });

  it('is refused by the clock alone while nobody has taken over', () => {
    const late = (said: Event): Event => ({ ...said, occurred_at: LATER });
    for (const said of [spawned(), claimed()])
      expect(when(courseAt('leased'), late(said), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    for (const said of [intended('push_branch')])
      expect(when(courseAt('writing'), late(said), CAST.writer)).toMatchObject({ code: 'lease_lost' });
    expect(when(courseAt('intended'), late(observed('push_branch')), CAST.writer)).toMatchObject({
      code: 'lease_lost',
    });
  });

  it('closes no cell that is another’s', () => {
    const running = missionAfter(when(courseAt('spawned', {}, people), expired(1), CAST.gate));
    const now = <E extends Event>(said: E): E => ({ ...said, occurred_at: LATER });
    const lease = now(leased(2, CAST.writer, 'mutable'));
    const longer = { ...lease, payload: { ...lease.payload, expires_at: '2026-11-18T13:00:00.000Z' } };
    const taken = missionAfter(when(running, longer, CAST.writer));
    expect(when(taken, now(cellClosed(1)), CAST.runner)).toMatchObject({ code: 'fence_stale' });
    expect(when(taken, now(cellClosed(2)), CAST.runner)).toMatchObject({ code: 'lease_held' });
    expect(when(running, now(cellClosed(1, CAST.gate)), CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

describe('whatever runners and a gate try, in whatever order', () => {
  type Try = { who: 'runner' | 'rita' | 'writer'; what: 'take' | 'release' | 'expire'; fence: number; late: boolean };
  const some: fc.Arbitrary<Try> = fc.record({
    who: fc.constantFrom('runner', 'rita', 'writer'),
    what: fc.constantFrom('take', 'release', 'expire'),
    fence: fc.integer({ min: 0, max: 5 }),
    late: fc.boolean(),
  });
  const keys = { runner: CAST.runner, rita: RITA, writer: CAST.writer };

  function attempt(state: MissionState, { who, what, fence, late }: Try) {
    const key = keys[who];
    const mode = who === 'writer' ? 'mutable' : 'isolated';
    const at = late ? { occurred_at: LATER } : {};
    switch (what) {
      case 'take':
        return when(state, leased(fence, key, mode), key);
      case 'release':
        return when(state, { ...leaseReleased(fence, key, ID.cellLease), ...at }, key);
      case 'expire':
        return when(state, expired(fence, late ? LATER : SOON, key), key);
    }
  }

  it('there are never two live fences, and no fence comes back', () => {
    const start = courseAt('granted', {}, people);
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), (tries) => {
        let state = start;
        const given: number[] = [];
        for (const one of tries) {
          const { lease } = courseOf(state);
          const verdict = attempt(state, one);
          if (verdict.is === 'refused') continue;
          state = missionAfter(verdict);
          if (one.what !== 'take') continue;
          // Accepted only where nobody held one, and with a fence above every one before it.
          expect(lease).toBeNull();
          expect(one.fence).toBeGreaterThan(Math.max(0, ...given));
          given.push(one.fence);
        }
        const { lease, fence } = courseOf(state);
        expect(fence).toBe(Math.max(0, ...given));
        if (lease !== null) expect(lease.fence).toBe(fence);
      }),
      { numRuns: 300 },
    );
  });
});
