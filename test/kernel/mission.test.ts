// A mission's own rules: how it grows out of a project, and how it takes over what the project decided about keys.
import { describe, expect, it } from 'vitest';
import { uuid } from '../support/events.ts';
import { cutOff, cutOffAdoption, exampleOf, rosterAdoption } from '../support/examples.ts';
import {
  CAST,
  DIGEST,
  HEAD,
  MISSION,
  PROJECT,
  RUT,
  TASK,
  after,
  castRoster,
  fact,
  missionAfter,
  missionOpened,
  openedMission,
  openedProject,
  when,
} from '../support/given.ts';
import { nextRoster } from '../support/people.ts';

describe('a mission', () => {
  const parent = { head: HEAD, state: openedProject() };
  const open = missionOpened(CAST.gate);

  it('takes over the roster and the cut-offs in force where it grew', () => {
    const { cut_off } = cutOff();
    const state = openedMission({ ...openedProject(), cut_offs: [cut_off] });
    expect(state).toMatchObject({ ledger_id: MISSION, project_id: PROJECT, grew_from: HEAD, tasks: {} });
    expect(state.roster).toEqual(castRoster());
    expect(state.cut_offs).toEqual([cut_off]);
    expect(state.project_genesis).toBe(openedProject().project_genesis);
  });

  it('needs a project to grow from', () => {
    expect(when(undefined, open, CAST.gate)).toMatchObject({ code: 'mission_without_project' });
  });

  it.each([
    ['another project', { project_id: uuid('other') }, 'mission_other_project'],
    ['another size', { grew_from: { ...HEAD, size: 9 } }, 'mission_parent_mismatch'],
    ['another root', { grew_from: { ...HEAD, root: '00'.repeat(32) } }, 'mission_parent_mismatch'],
    ['another commit', { grew_from: { ...HEAD, oid: '00'.repeat(20) } }, 'mission_parent_mismatch'],
    ['another mission than its envelope', { mission_id: uuid('other') }, 'event_malformed'],
  ])('does not begin by naming %s', (_, changes, code) => {
    const said = { ...open, payload: { ...open.payload, ...changes } };
    expect(when(undefined, said, CAST.gate, { parent })).toMatchObject({ is: 'refused', code });
  });

  it('does not grow out of a sealed project', () => {
    const sealed = { ...parent, state: { ...parent.state, sealed: true } };
    expect(when(undefined, open, CAST.gate, { parent: sealed })).toMatchObject({ code: 'ledger_sealed' });
  });

  it('begins with nothing else, and only once', () => {
    const { event } = exampleOf('note.recorded', CAST.gate);
    expect(when(undefined, event, CAST.gate, { parent, kind: 'mission' })).toMatchObject({ code: 'ledger_not_opened' });
    expect(when(openedMission(), open, CAST.gate)).toMatchObject({ code: 'event_out_of_place' });
  });

  it('counts its notes and artifacts', () => {
    let state = openedMission();
    const said = (type: 'artifact.recorded' | 'artifact.erased' | 'note.recorded', payload: object): void => {
      const event = fact(type, payload as never, CAST.person, { entity: uuid(type) });
      state = missionAfter(when(state, event, CAST.person));
    };
    said('note.recorded', { bytes: 1, digest: DIGEST, media_type: 'text/plain' });
    for (let i = 0; i < 2; i++)
      said('artifact.recorded', { bytes: 1, digest: DIGEST, encryption: 'none', media_type: 'text/plain' });
    said('artifact.erased', { because: 'asked_for', digest: DIGEST });
    expect(state).toMatchObject({ notes: 1, artifacts: { recorded: 2, erased: 1 } });
  });

  it.each(['roster.adopted', 'cut_off.adopted', 'ledger.repaired', 'ledger.sealed', 'trust.annotated'] as const)(
    'has %s as an event of its own, not of a task',
    (type) => {
      const { event } = exampleOf(type, CAST.root);
      const state = { ...openedMission(), tasks: { [TASK]: 'running' } } as const;
      expect(when(state, event, CAST.root)).toMatchObject({ is: 'accepted' });
      expect(when(state, { ...event, task_id: TASK }, CAST.root)).toMatchObject({ code: 'task_unknown' });
    },
  );
});

describe('adoption', () => {
  it('brings the next roster into force', () => {
    const next = nextRoster(castRoster(), { threshold: 2 });
    const said = fact('roster.adopted', rosterAdoption(next), CAST.runner);
    expect(after(when(openedMission(), said, CAST.runner)).roster).toEqual(next);
  });

  it('is of what lies below the project head that is cited: what is there later nobody could look up', () => {
    const payload = rosterAdoption(nextRoster(castRoster()));
    const at = (index: number) => fact('roster.adopted', { ...payload, from: { ...payload.from, index } }, CAST.gate);
    expect(when(openedMission(), at(11), CAST.gate, { basis: 12 })).toMatchObject({ is: 'accepted' });
    expect(when(openedMission(), at(12), CAST.gate, { basis: 12 })).toMatchObject({ code: 'adoption_not_of_project' });
    const cut = cutOffAdoption({ fingerprint: RUT.fingerprint });
    const late = fact('cut_off.adopted', { ...cut, from: { ...cut.from, index: 12 } }, CAST.gate);
    expect(when(openedMission(), late, CAST.gate, { basis: 12 })).toMatchObject({ code: 'adoption_not_of_project' });
  });

  it('cannot leave a roster out', () => {
    const next = nextRoster(castRoster());
    const said = fact('roster.adopted', rosterAdoption(nextRoster(next)), CAST.runner);
    expect(when(openedMission(), said, CAST.runner)).toMatchObject({ code: 'roster_replayed' });
  });

  it('accepts signatures of a key that ended between the project head cited before and the one cited now', () => {
    // Root's key ends at 12; the update was signed at size 11. The mission adopts it when the project is at 20.
    const ending = castRoster();
    const members = ending.members.map((one) =>
      one.principal_id === 'root' ? { ...one, keys: [{ ...one.keys[0]!, until: 12 }] } : one,
    );
    const state = openedMission(openedProject({ ...ending, members }));
    const said = fact('roster.adopted', rosterAdoption(nextRoster(state.roster)), CAST.gate);
    expect(when(state, said, CAST.gate, { basis: 11 })).toMatchObject({ is: 'accepted' });
    expect(when(state, said, CAST.gate, { basis: 20, since: 11 })).toMatchObject({ is: 'accepted' });
    expect(when(state, said, CAST.gate, { basis: 20, since: 12 })).toMatchObject({
      code: 'threshold_signer_outside_validity',
    });
    expect(when(state, said, CAST.gate, { basis: 12 })).toMatchObject({ code: 'threshold_signer_outside_validity' });
  });

  it('of a cut-off bars the key from then on', () => {
    const said = fact('cut_off.adopted', cutOffAdoption({ fingerprint: RUT.fingerprint }), CAST.writer);
    const state = after(when(openedMission(), said, CAST.writer));
    expect(state.cut_offs.map((one) => one.fingerprint)).toEqual([RUT.fingerprint]);
    const update = fact('roster.adopted', rosterAdoption(nextRoster(castRoster()), [RUT]), CAST.gate);
    expect(when(state, update, CAST.gate)).toMatchObject({ code: 'threshold_signer_outside_validity' });
  });
});
