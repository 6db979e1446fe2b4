// A cell opens to the outside what people agreed to, and nothing else; what prepares dependencies is born apart from the
// agent, opens what was asked for preparing, and spends nobody's tokens.
import { describe, expect, it } from 'vitest';
import type { Course } from '../../src/kernel/course/course.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import { ID, onAttempt } from '../support/course/asked.ts';
import { cellClosed, checkBorn, checkClosed, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';

const HOST = 'hosts/docs.example.org:443';
const ROUTE = 'routes/model';
const REGISTRY = 'prepare/registry.example.org:443';
const ASKED = ['cells/process', HOST, ROUTE, REGISTRY];

/** The same mission, whose run asked for more and was granted it. */
function reaching(state: ReturnType<typeof courseAt>, scope: readonly string[] = ASKED): typeof state {
  const course: Course = courseOf(state);
  const widened = <T extends { readonly action_class: string }>(all: Readonly<Record<string, T>>, change: object) =>
    Object.fromEntries(
      Object.entries(all).map(([id, one]) => [
        id,
        one.action_class === 'execute_command' ? { ...one, ...change } : one,
      ]),
    );
  return withCourse(state, {
    grants: widened(course.grants, { scope }),
    requests: widened(course.requests, { targets: scope }),
  });
}

const leased = reaching(courseAt('leased'));

function preparing(changes: Partial<EventOf<'cell.spawned'>['payload']> = {}, cell = 'preparing') {
  const nobody = { grant_id: null, manifest: null, manifest_hash: null, seed_id: null };
  const { payload } = spawned({
    ...nobody,
    purpose: 'prepare',
    environment: [DIGEST],
    reach: [REGISTRY],
    ...changes,
  });
  return onAttempt('cell.spawned', payload, CAST.runner, { entity: uuid(cell) });
}

describe('an agent’s cell', () => {
  it('opens what its grant names, all of it or less', () => {
    for (const reach of [[], [HOST], [ROUTE, HOST]])
      expect(when(leased, spawned({ reach }), CAST.runner)).toMatchObject({ is: 'accepted' });
  });

  it.each([
    ['a host that nobody asked for', 'hosts/evil.example.org:443'],
    ['another port of one', 'hosts/docs.example.org:22'],
    ['a route of another agent', 'routes/other'],
    ['what was granted for preparing', REGISTRY],
    ['a word that is no host', 'cells/docker'],
  ])('does not open %s', (_, one) => {
    expect(when(leased, spawned({ reach: [HOST, one] }), CAST.runner)).toMatchObject({
      code: 'grant_mismatch',
      facts: { reach: one },
    });
  });

  it('opens nothing under a grant that names nothing', () => {
    expect(when(courseAt('leased'), spawned({ reach: [ROUTE] }), CAST.runner)).toMatchObject({
      code: 'grant_mismatch',
    });
  });

  it('says what was spent by the routes it had, each once', () => {
    const open = missionAfter(when(leased, spawned({ reach: [ROUTE] }), CAST.runner));
    const spentBy = (guessed: number, routes: readonly string[]) => {
      const lines = routes.map((route) => ({ route, calls: 1, guessed, tokens_in: 2, tokens_out: 3 }));
      const { payload } = cellClosed(1);
      return when(
        open,
        onAttempt('cell.closed', { ...payload, spent: lines }, CAST.runner, { entity: ID.cell }),
        CAST.runner,
      );
    };
    const spent = (...routes: string[]) => spentBy(1, routes);
    expect(spent('model')).toMatchObject({ is: 'accepted' });
    expect(spent('other')).toMatchObject({ code: 'route_not_open', facts: { route: 'other' } });
    expect(spent('model', 'model')).toMatchObject({ code: 'route_not_open' });
    expect(spentBy(2, ['model'])).toMatchObject({ code: 'guessed_beyond_calls', facts: { guessed: 2, calls: 1 } });
  });
});

describe('a cell that prepares', () => {
  it('is born before the agent’s, and both are open beside each other', () => {
    const prepared = missionAfter(when(leased, preparing(), CAST.runner));
    expect(courseOf(prepared).attempt).toMatchObject({ status: 'leased', births: 0, prepares: 1 });
    const born = courseOf(missionAfter(when(prepared, spawned({ reach: [ROUTE] }), CAST.runner)));
    expect(Object.values(born.cells).map(({ purpose }) => purpose)).toEqual(['prepare', 'agent']);
    expect(born.grants).toEqual({});
  });

  it('holds the end of the attempt up until it is closed', () => {
    const both = replay(leased, [
      { event: preparing(), by: CAST.runner },
      { event: spawned(), by: CAST.runner },
      { event: cellClosed(1), by: CAST.runner },
    ]);
    const failed = onAttempt('attempt.failed', { because: 'environment_failed' }, CAST.runner, { entity: ID.attempt });
    expect(when(both, failed, CAST.runner)).toMatchObject({ code: 'cell_open', facts: { cell: uuid('preparing') } });
  });

  it.each([
    ['what the agent was granted', { reach: [HOST] }],
    ['a route', { reach: [ROUTE] }],
    ['a host that nobody asked for', { reach: ['prepare/evil.example.org:443'] }],
  ])('does not open %s', (_, changes) => {
    expect(when(leased, preparing(changes), CAST.runner)).toMatchObject({ code: 'grant_mismatch' });
  });

  it.each([
    ['a seed', { seed_id: uuid('seed') }],
    ['a grant of its own', { grant_id: ID.execGrant }],
    ['the place of a check', { check: 0 }],
    ['no entry that it makes', { environment: [] }],
    ['two of them', { environment: [DIGEST, DIGEST] }],
  ])('has never %s', (_, changes) => {
    expect(when(leased, preparing(changes), CAST.runner)).toMatchObject({ code: 'event_malformed' });
  });

  it('is not born beside a running agent, nor after the grant was used up for nothing', () => {
    const running = reaching(courseAt('spawned'));
    expect(when(running, preparing(), CAST.runner)).toMatchObject({ code: 'cell_open' });
    const ended = replay(running, [{ event: cellClosed(1), by: CAST.runner }]);
    expect(when(ended, preparing(), CAST.runner)).toMatchObject({ code: 'grant_missing' });
  });

  it('is born for the checks of work, until the first of them has ended', () => {
    const handed = reaching(replay(courseAt('worked'), [{ event: cellClosed(1), by: CAST.runner }]));
    const prepared = missionAfter(when(handed, preparing(), CAST.runner));
    const checked = replay(prepared, [{ event: checkBorn(0), by: CAST.runner }]);
    expect(when(checked, preparing({}, 'another'), CAST.runner)).toMatchObject({ is: 'accepted' });
    const ended = replay(checked, [{ event: checkClosed(0), by: CAST.runner }]);
    expect(when(ended, preparing({}, 'another'), CAST.runner)).toMatchObject({ code: 'verdict_exists' });
    expect(when(handed, preparing({ reach: ['prepare/evil.example.org:443'] }), CAST.runner)).toMatchObject({
      code: 'grant_mismatch',
    });
  });

  it('has a name of its own, and there is an end to them', () => {
    const one = missionAfter(when(leased, preparing(), CAST.runner));
    expect(when(one, preparing(), CAST.runner)).toMatchObject({ is: 'refused' });
    const { attempt } = courseOf(leased);
    const many = withCourse(leased, { attempt: { ...attempt!, prepares: 32 } });
    expect(when(many, preparing(), CAST.runner)).toMatchObject({
      code: 'limit_reached',
      facts: { prepares_per_attempt_max: 32 },
    });
  });
});

describe('a check’s cell', () => {
  it('opens nothing, whatever was granted', () => {
    const handed = reaching(replay(courseAt('worked'), [{ event: cellClosed(1), by: CAST.runner }]));
    expect(when(handed, checkBorn(0, { reach: [HOST] }), CAST.runner)).toMatchObject({
      code: 'event_malformed',
      facts: { at: 'payload.reach' },
    });
    expect(when(handed, checkBorn(0, { environment: [DIGEST] }), CAST.runner)).toMatchObject({ is: 'accepted' });
  });
});
