// A cell’s birth is the intent of running an agent: it needs lease, grant and the isolation that people agreed to.
import { describe, expect, it } from 'vitest';
import { ID, LATER, onAttempt } from '../support/course/asked.ts';
import { cellClosed, checkBorn, checkClosed, leased, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';

const leaseHeld = courseAt('leased');

describe('a cell', () => {
  it('remembers its seed, level and manifest, and uses its grant up', () => {
    const course = courseOf(missionAfter(when(leaseHeld, spawned({ level: 3, epoch: 1 }), CAST.runner)));
    expect(course.cells).toEqual({
      [ID.cell]: { purpose: 'agent', seed: uuid('seed'), epoch: 1, level: 3, manifest_hash: DIGEST, reach: [] },
    });
    expect(course.grants).toEqual({});
    expect(course.attempt?.status).toBe('executing');
  });

  it('is not born without a lease to run one', () => {
    expect(when(courseAt('granted'), spawned({ fence: 0 }), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    expect(when(leaseHeld, spawned({ fence: 2 }), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    const writing = replay(courseAt('granted'), [{ event: leased(1, CAST.writer, 'mutable'), by: CAST.writer }]);
    expect(when(writing, spawned(), CAST.runner)).toMatchObject({ code: 'lease_held', facts: { holder: 'writer' } });
  });

  it('is not born under a lease that is for effects', () => {
    // One machine that is runner and writer.
    const members = leaseHeld.roster.members.map((one) =>
      one.principal_id === 'runner' ? { ...one, roles: ['runner' as const, 'writer' as const] } : one,
    );
    const granted = courseAt('granted');
    const machine = { ...granted, roster: { ...granted.roster, members } };
    const writing = missionAfter(when(machine, leased(1, CAST.runner, 'mutable'), CAST.runner));
    expect(when(writing, spawned(), CAST.runner)).toMatchObject({ code: 'lease_lost', facts: { mode: 'mutable' } });
  });

  it('is not born without a grant to run', () => {
    expect(when(leaseHeld, spawned({ grant_id: uuid('nothing') }), CAST.runner)).toMatchObject({
      code: 'grant_missing',
    });
    const course = courseOf(leaseHeld);
    const grants = { [ID.execGrant]: { ...course.grants[ID.execGrant]!, action_class: 'vcs_mutation' as const } };
    const toPush = withCourse(leaseHeld, { grants });
    expect(when(toPush, spawned(), CAST.runner)).toMatchObject({ code: 'grant_missing' });
    const revoked = onAttempt('grant.revoked', { because: 'halted' }, CAST.gate, { entity: ID.execGrant });
    const state = missionAfter(when(leaseHeld, revoked, CAST.gate));
    expect(when(state, spawned(), CAST.runner)).toMatchObject({ code: 'grant_missing' });
  });

  it('is not born on the word of people who have left the roster since', () => {
    const members = leaseHeld.roster.members.filter(({ roles }) => !roles.includes('person'));
    const without = { ...leaseHeld, roster: { ...leaseHeld.roster, members } };
    expect(when(without, spawned(), CAST.runner)).toMatchObject({ code: 'quorum_missing', facts: { missing: 1 } });
  });

  it.each([
    ['a weaker cell', { level: 1 }],
    ['no isolation at all', { level: 0 }],
    ['another backend, be it stronger', { backend: 'docker' as const, level: 3 }],
  ])('is refused as %s than was approved', (_, changes) => {
    expect(when(leaseHeld, spawned(changes), CAST.runner)).toMatchObject({ code: 'level_unmet' });
  });

  it('is the only one', () => {
    const second = { ...spawned(), entity_id: uuid('second cell') };
    expect(when(courseAt('spawned'), second, CAST.runner)).toMatchObject({ code: 'cell_open' });
  });

  it('is closed by its supervisor, be it late', () => {
    const running = courseAt('spawned');
    expect(when(running, { ...cellClosed(1), entity_id: uuid('another') }, CAST.runner)).toMatchObject({
      code: 'cell_unknown',
    });
    expect(when(running, cellClosed(2), CAST.runner)).toMatchObject({ code: 'fence_stale' });
    expect(when(running, cellClosed(1, CAST.gate), CAST.gate)).toMatchObject({ code: 'lease_held' });
    const late = { ...cellClosed(1), occurred_at: LATER };
    const closed = missionAfter(when(running, late, CAST.runner));
    expect(courseOf(closed).cells).toEqual({});
    expect(when(closed, cellClosed(1), CAST.runner)).toMatchObject({ code: 'cell_unknown' });
  });
});

describe('the birth of a cell says what was probed', () => {
  it('and a grant for cells of another kind does not cover it', () => {
    const course = courseOf(leaseHeld);
    const scope = ['cells/docker'];
    const grants = { [ID.execGrant]: { ...course.grants[ID.execGrant]!, scope } };
    const forDocker = withCourse(leaseHeld, { grants });
    expect(when(forDocker, spawned(), CAST.runner)).toMatchObject({ code: 'grant_mismatch', facts: { scope } });
  });

  it('with the seed that lives in it, and none in the cell of a check', () => {
    const without = [
      spawned({ check: 0 }),
      spawned({ manifest: null }),
      spawned({ manifest_hash: null }),
      spawned({ seed_id: null }),
    ];
    for (const event of without) expect(when(leaseHeld, event, CAST.runner)).toMatchObject({ code: 'event_malformed' });
    expect(when(leaseHeld, spawned({ grant_id: null }), CAST.runner)).toMatchObject({ code: 'grant_missing' });
    const checking = [{ check: null }, { seed_id: uuid('seed') }, { manifest: DIGEST }, { grant_id: ID.execGrant }];
    for (const changes of checking)
      expect(when(handedOver, checkBorn(0, changes), CAST.runner)).toMatchObject({ code: 'event_malformed' });
  });
});

/** The agent's cell is closed, its work is there, no check is born. */
const handedOver = replay(courseAt('worked'), [{ event: cellClosed(1), by: CAST.runner }]);

describe('the cell of a check', () => {
  const born = (...ns: readonly number[]) =>
    replay(
      handedOver,
      ns.map((n) => ({ event: checkBorn(n), by: CAST.runner })),
    );

  it('is born for the work, and lives beside those of the other checks', () => {
    const course = courseOf(born(0, 1));
    const check = { purpose: 'check', epoch: 0, level: 2 };
    expect(Object.values(course.cells)).toEqual([check, check]);
    expect(course.attempt).toMatchObject({ status: 'observing', checks: [{ ended: false }, { ended: false }] });
  });

  it.each([
    ['out of the plan’s order', handedOver, 1],
    ['twice', born(0), 0],
    ['beyond what the plan names', born(0, 1), 2],
  ])('is not born %s', (_, state, n) => {
    const event = { ...checkBorn(n), entity_id: uuid('one more') };
    expect(when(state, event, CAST.runner)).toMatchObject({ code: 'checks_not_planned' });
  });

  it('is not born once the result of another is known', () => {
    const known = replay(born(0), [{ event: checkClosed(0), by: CAST.runner }]);
    expect(when(known, checkBorn(1), CAST.runner)).toMatchObject({ code: 'checks_not_planned' });
  });

  it('is not born beside the agent, without work, nor after the verdict', () => {
    expect(when(courseAt('worked'), checkBorn(0), CAST.runner)).toMatchObject({ code: 'cell_open' });
    const empty = replay(courseAt('spawned'), [{ event: cellClosed(1), by: CAST.runner }]);
    expect(when(empty, checkBorn(0), CAST.runner)).toMatchObject({ code: 'nothing_done' });
    expect(when(courseAt('verified'), checkBorn(0), CAST.runner)).toMatchObject({ code: 'verdict_exists' });
  });

  it('is as strong, and of the kind, that was approved', () => {
    for (const changes of [{ level: 1 }, { backend: 'docker' as const, level: 3 }])
      expect(when(handedOver, checkBorn(0, changes), CAST.runner)).toMatchObject({ code: 'level_unmet' });
  });

  it('keeps the attempt open until it is closed', () => {
    const failed = onAttempt('attempt.failed', { because: 'gone' }, CAST.gate, { entity: ID.attempt });
    expect(when(born(0, 1), failed, CAST.gate)).toMatchObject({ code: 'cell_open' });
  });
});
