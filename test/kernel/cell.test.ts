// A cell’s birth is the intent of running an agent: it needs lease, grant and the isolation that people agreed to.
import { describe, expect, it } from 'vitest';
import { ID, LATER, onAttempt } from '../support/course/asked.ts';
import { cellClosed, leased, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';

const leaseHeld = courseAt('leased');

describe('a cell', () => {
  it('remembers its seed, level and manifest, and uses its grant up', () => {
    const course = courseOf(missionAfter(when(leaseHeld, spawned({ level: 3, epoch: 1 }), CAST.runner)));
    expect(course.cell).toEqual({ id: ID.cell, seed: uuid('seed'), epoch: 1, level: 3, manifest_hash: DIGEST });
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
    const toPush = { ...leaseHeld, course: { ...course, grants } };
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
    expect(courseOf(closed).cell).toBeNull();
    expect(when(closed, cellClosed(1), CAST.runner)).toMatchObject({ code: 'cell_unknown' });
  });
});
