// What a refused birth or end of a cell tells its reader, and how a cell is told of to people.
import { describe, expect, it } from 'vitest';
import { cellWords, levelWords } from '../../../src/kernel/cell/words.ts';
import { ID } from '../../support/course/asked.ts';
import { cellClosed, checkBorn, HARD, spawned } from '../../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, missionAfter, when } from '../../support/given.ts';
import { member, testKey } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const RITA = testKey('rita');

describe('an agent’s cell that is not born says', () => {
  const leased = courseAt('leased');
  const born = (changes: Parameters<typeof spawned>[0], state = leased) => when(state, spawned(changes), CAST.runner);

  it('what people agreed to', () => {
    expect(born({ level: 1 })).toEqual(refusal('level_unmet', { level: 1, asked: 2, backend: 'process' }));
    for (const role of ['director', 'observer', 'guest', 'substitute'] as const)
      expect(born({ role })).toEqual(refusal('role_unplanned', { role, planned: 'executor' }));
    expect(born({ grant_id: null })).toEqual(refusal('grant_missing', { grant: 'none' }));
    expect(born({ grant_id: uuid('nothing') })).toEqual(refusal('grant_missing', { grant: uuid('nothing') }));
  });

  it('what it is, and what is open', () => {
    expect(born({ check: 0 })).toEqual(
      refusal('event_malformed', { event_type: 'cell.spawned', at: 'payload.purpose' }),
    );
    expect(born({}, courseAt('spawned'))).toEqual(refusal('cell_open', { cell: ID.cell }));
  });

  it('nothing of those that were born before: they are counted', () => {
    const { attempt } = courseOf(leased);
    const again = withCourse(leased, { attempt: { ...attempt!, births: 1 } });
    expect(courseOf(missionAfter(born({}, again))).attempt?.births).toBe(2);
  });
});

describe('a check’s cell that is not born says', () => {
  const ready = replay(courseAt('worked'), [{ event: cellClosed(1), by: CAST.runner }]);
  const { attempt, cells } = courseOf(courseAt('checking'));
  const born = (state = ready, said = checkBorn(0)) => when(state, said, CAST.runner);

  it('what it is', () => {
    expect(born(ready, checkBorn(0, { grant_id: ID.execGrant }))).toEqual(
      refusal('event_malformed', { event_type: 'cell.spawned', at: 'payload.purpose' }),
    );
    expect(born(ready, { ...checkBorn(0), attempt_id: uuid('attempt 2') })).toMatchObject({ code: 'attempt_stale' });
  });

  it('what is missing, or there already', () => {
    const of = courseOf(ready).attempt!;
    expect(born(withCourse(ready, { attempt: { ...of, work: null } }))).toEqual(
      refusal('nothing_done', { attempt: ID.attempt }),
    );
    expect(born(withCourse(ready, { attempt: { ...of, verdict: 'satisfied' } }))).toEqual(
      refusal('verdict_exists', { attempt: ID.attempt }),
    );
    expect(born(courseAt('worked'))).toEqual(refusal('cell_open', { cell: ID.cell }));
    expect(born(ready, checkBorn(1))).toEqual(refusal('checks_not_planned', { check: 1, expected: 0, planned: 2 }));
  });

  it('that a cell of its name is open', () => {
    const open = withCourse(ready, { attempt, cells });
    const again = checkBorn(0);
    expect(born(open, again)).toEqual(refusal('cell_open', { cell: again.entity_id }));
  });
});

describe('a cell that is not closed says', () => {
  const people = courseRoster(member(RITA, { roles: ['runner'] }));
  const open = courseAt('spawned', {}, people);

  it('which one, and who holds it', () => {
    const other = { ...cellClosed(1), entity_id: uuid('nothing') };
    expect(when(open, other, CAST.runner)).toEqual(refusal('cell_unknown', { cell: uuid('nothing') }));
    expect(when(open, cellClosed(2), CAST.runner)).toEqual(refusal('fence_stale', { fence: 2, expected: 1 }));
    expect(when(open, cellClosed(1, RITA), RITA)).toEqual(refusal('lease_held', { holder: 'runner' }));
  });

  it('nothing where its attempt or its run is gone', () => {
    const gone = withCourse(open, { attempt: null, runs: {} });
    const { attempt, runs, cells } = courseOf(missionAfter(when(gone, cellClosed(1), CAST.runner)));
    expect({ attempt, runs, cells }).toEqual({ attempt: null, runs: {}, cells: {} });
  });
});

describe('people read of a cell', () => {
  it('what it was kept apart by, and loudly where by nothing', () => {
    expect([0, 1, 2].map(levelWords)).toEqual(['level 0: NO ISOLATION', 'level 1', 'level 2']);
  });

  it('which limits nobody held it to', () => {
    expect(cellWords({ level: 2, limits: HARD })).toBe('level 2');
    expect(cellWords({ level: 2, limits: { ...HARD, memory: 'soft', processes: 'none' } })).toBe(
      'level 2, soft limits: memory soft, processes none',
    );
    expect(cellWords({ level: 0, limits: { ...HARD, memory: 'soft' } })).toBe('level 0: NO ISOLATION');
  });
});
