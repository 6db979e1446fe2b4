// A project ledger's own rules: how it begins, the registry of missions, claims on paths, halt.
import { describe, expect, it } from 'vitest';
import type { ProjectState, State } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { uuid } from '../support/events.ts';
import type { TestKey } from '../support/people.ts';
import { exampleOf, registration } from '../support/examples.ts';
import {
  CAST,
  HEAD,
  MISSION,
  PROJECT,
  castRoster,
  fact,
  missionOpened,
  openedProject,
  projectAfter,
  when,
} from '../support/given.ts';

function register(state: ProjectState, mission: string, claims: readonly string[]) {
  const payload = { ...registration, claims: [...claims], mission_id: mission };
  return when(state, fact('mission.registered', payload, CAST.gate, { entity: mission }), CAST.gate);
}

describe('a project ledger', () => {
  it('begins with its opening, and remembers its hash as the fingerprint of trust', () => {
    const state = openedProject();
    expect(state).toMatchObject({ kind: 'project', ledger_id: PROJECT, roster: castRoster(), halt: null });
    expect(state.project_genesis).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('begins with nothing else', () => {
    const { event } = exampleOf('halt.declared', CAST.root);
    expect(when(undefined, event, CAST.root)).toMatchObject({ code: 'ledger_not_opened' });
  });

  it('is not opened twice', () => {
    const again = fact('project.opened', { roster: castRoster() }, CAST.root);
    expect(when(openedProject(), again, CAST.root)).toMatchObject({ code: 'event_out_of_place' });
  });

  it.each([
    ['names another entity', { entity: uuid('other') }, {}, 'event_malformed'],
    ['names another task', { task: uuid('other'), entity: PROJECT }, {}, 'event_malformed'],
    ['brings the roster of another project', {}, { project_id: uuid('other') }, 'event_malformed'],
    ['brings a roster that is not the first', {}, { n: 1 }, 'roster_replayed'],
    ['brings a roster that follows another', {}, { prev: 'ab'.repeat(32) }, 'roster_replayed'],
    ['asks for more roots than there are', {}, { threshold: 3 }, 'roster_threshold_unreachable'],
  ])('does not begin with an opening that %s', (_, fields, changes, code) => {
    const said = fact('project.opened', { roster: castRoster(changes) }, CAST.root, fields);
    expect(when(undefined, said, CAST.root)).toMatchObject({ is: 'refused', code });
  });

  it('takes events about itself only', () => {
    const said = fact('halt.declared', {}, CAST.root, { task: uuid('other') });
    expect(when(openedProject(), said, CAST.root)).toMatchObject({ code: 'task_unknown' });
  });
});

describe('the registry of missions', () => {
  const held = projectAfter(register(openedProject(), MISSION, ['src/api/**', 'docs/*.md']));

  it('holds a mission’s first commit and claims', () => {
    expect(held.missions).toEqual({
      [MISSION]: { genesis: registration.genesis, claims: ['src/api/**', 'docs/*.md'] },
    });
  });

  it('takes a mission once', () => {
    expect(register(held, MISSION, [])).toMatchObject({ code: 'mission_exists' });
  });

  it('gives one path to one mission: the second is told which claim is taken, and by whom', () => {
    expect(register(held, uuid('second'), ['test/**', 'src/api/users.ts'])).toMatchObject({
      code: 'path_claimed',
      facts: { claim: 'src/api/users.ts', holder: MISSION },
    });
    expect(register(held, uuid('second'), ['test/**'])).toMatchObject({ is: 'accepted' });
  });

  it('gives a path away again once its claims are released, while the mission stays registered', () => {
    const released = projectAfter(release(held, 'withdrawn'));
    expect(released.missions[MISSION]).toEqual({ genesis: registration.genesis, claims: [] });
    expect(register(released, uuid('second'), ['src/api/users.ts'])).toMatchObject({ is: 'accepted' });
    // It may claim paths again, as when a vote was taken back and given again; nobody else may use its name.
    expect(register(released, MISSION, ['docs/**'])).toMatchObject({ is: 'accepted' });
    expect(register(held, MISSION, [])).toMatchObject({ code: 'mission_exists' });
  });

  it('forgets a mission that has ended, so that it never grows with what is over', () => {
    const over = projectAfter(release(held, 'ended'));
    expect(over.missions).toEqual({});
    let state = over;
    for (let i = 0; i < 600; i++) {
      const mission = uuid(`mission ${i}`);
      state = projectAfter(release(projectAfter(register(state, mission, ['src/**'])), 'ended', mission));
    }
    expect(state).toEqual(over);
  });

  it('does not release what nobody holds', () => {
    expect(release(held, 'withdrawn', uuid('none'))).toMatchObject({ code: 'mission_unknown' });
    expect(release(projectAfter(release(held, 'ended')), 'ended')).toMatchObject({ code: 'mission_unknown' });
  });

  function release(state: ProjectState, because: 'ended' | 'withdrawn', mission = MISSION): Verdict<State> {
    const said = fact('claims.released', { after: HEAD, because, mission_id: mission }, CAST.writer, {
      entity: mission,
    });
    return when(state, said, CAST.writer);
  }

  it.each([
    ['sealed', false],
    ['repaired', true],
  ] as const)('after a mission was %s keeps it: %s', (because, kept) => {
    const said = fact('tree_head.recorded', { because, head: HEAD, ledger_id: MISSION }, CAST.root, {
      entity: MISSION,
    });
    const state = projectAfter(when(held, said, CAST.root));
    expect(MISSION in state.missions).toBe(kept);
  });

  it('does not mind the tree head of a ledger it never registered', () => {
    const stray = uuid('stray');
    const said = fact('tree_head.recorded', { because: 'sealed', head: HEAD, ledger_id: stray }, CAST.root, {
      entity: stray,
    });
    expect(when(held, said, CAST.root)).toEqual({ is: 'accepted', value: held });
  });

  it('is full at its limit', () => {
    const many = Object.fromEntries(
      Array.from({ length: 511 }, (_, i) => [uuid(`mission ${i}`), { genesis: registration.genesis, claims: [] }]),
    );
    const almost = { ...openedProject(), missions: many };
    const full = projectAfter(register(almost, MISSION, []));
    expect(register(full, uuid('one more'), [])).toMatchObject({ code: 'limit_reached' });
  });

  it.each([
    ['mission.registered', { ...registration, mission_id: uuid('other') }],
    ['claims.released', { after: HEAD, because: 'ended', mission_id: uuid('other') }],
    ['tree_head.recorded', { because: 'sealed', head: HEAD, ledger_id: uuid('other') }],
  ] as const)('refuses %s whose envelope and payload name two missions', (type, payload) => {
    const by = type === 'tree_head.recorded' ? CAST.root : CAST.gate;
    const said = fact(type, payload as never, by, { entity: MISSION });
    expect(when(held, said, by)).toMatchObject({ code: 'event_malformed', facts: { at: 'entity_id' } });
  });
});

/** By a person. */
const HALT = { by: 'person', since: '2026-11-18T10:00:00.000Z', root: false };

describe('a halted project', () => {
  const halted = projectAfter(when(openedProject(), fact('halt.declared', {}, CAST.root), CAST.root));

  it('registers no mission', () => {
    expect(register(halted, MISSION, [])).toMatchObject({ code: 'project_halted' });
  });

  it('lets no mission begin', () => {
    const parent = { head: HEAD, state: halted };
    expect(when(undefined, missionOpened(CAST.gate), CAST.gate, { parent })).toMatchObject({ code: 'project_halted' });
  });

  it('still lets missions end and roots act', () => {
    const { event } = exampleOf('key.cut_off', CAST.root);
    expect(when(halted, event, CAST.root)).toMatchObject({ is: 'accepted' });
    const ended = exampleOf('tree_head.recorded', CAST.root);
    expect(when({ ...(ended.given as ProjectState), halt: HALT }, ended.event, CAST.root).is).toBe('accepted');
  });

  it('says by whom and since when, and a person may halt it as well', () => {
    const event = fact('halt.declared', {}, CAST.person);
    expect(projectAfter(when(openedProject(), event, CAST.person)).halt).toEqual({
      by: CAST.person.principalId,
      since: event.occurred_at,
      root: false,
    });
    expect(halted.halt).toMatchObject({ by: CAST.root.principalId, root: true });
  });

  it('is let go on by a person where a person halted it, and by a root alone where a root did', () => {
    const lift = (by: TestKey) => fact('halt.lifted', {}, by);
    const byPerson = projectAfter(when(openedProject(), fact('halt.declared', {}, CAST.person), CAST.person));
    for (const key of [CAST.person, CAST.root]) expect(when(byPerson, lift(key), key).is).toBe('accepted');
    expect(when(halted, lift(CAST.person), CAST.person)).toMatchObject({ code: 'halt_of_root' });
    expect(when(halted, lift(CAST.root), CAST.root).is).toBe('accepted');
  });

  it('is halted once, and works again once the halt is lifted', () => {
    expect(when(halted, fact('halt.declared', {}, CAST.root), CAST.root)).toMatchObject({ code: 'project_halted' });
    const lifted = projectAfter(when(halted, fact('halt.lifted', {}, CAST.root), CAST.root));
    expect(register(lifted, MISSION, [])).toMatchObject({ is: 'accepted' });
    expect(when(lifted, fact('halt.lifted', {}, CAST.root), CAST.root)).toMatchObject({ code: 'project_not_halted' });
  });
});
