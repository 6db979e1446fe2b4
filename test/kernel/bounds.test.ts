// A state is plain data in which every list has a count: nothing else bounds it, and nothing else needs to.
import { describe, expect, it } from 'vitest';
import type { ProjectState, State } from '../../src/kernel/state.ts';
import { uuid } from '../support/events.ts';
import { annotation, cutOffAdoption, registration } from '../support/examples.ts';
import { CAST, HEAD, fact, openedMission, openedProject, projectAfter, when } from '../support/given.ts';

/** Claims in the longest spelling they can have, three bytes for each character. */
function longClaims(mission: number): string[] {
  return Array.from({ length: 32 }, (_, i) => `${mission}-${i}-`.padEnd(200, '日'));
}

describe('registered missions', () => {
  it('are counted, however long their claims; one that is over makes room', () => {
    const register = (state: ProjectState, i: number) => {
      const payload = { ...registration, claims: i < 20 ? longClaims(i) : [], mission_id: uuid(`mission ${i}`) };
      return when(state, fact('mission.registered', payload, CAST.gate, { entity: payload.mission_id }), CAST.gate);
    };
    let state = openedProject();
    for (let i = 0; i < 512; i++) state = projectAfter(register(state, i));
    expect(register(state, 512)).toMatchObject({ code: 'limit_reached', facts: { open_missions_max: 512 } });
    const id = uuid('mission 0');
    const over = { after: HEAD, because: 'ended', mission_id: id } as const;
    state = projectAfter(when(state, fact('claims.released', over, CAST.gate, { entity: id }), CAST.gate));
    expect(register(state, 512)).toMatchObject({ is: 'accepted' });
  });
});

describe('a mission', () => {
  it('adopts so many cut-offs and holds so many annotations', () => {
    const heads = Array.from({ length: 64 }, (_, i) => ({ head: HEAD, ledger_id: uuid(`ledger ${i}`) }));
    let state: State = openedMission();
    const adopt = (i: number) => {
      const payload = cutOffAdoption({ fingerprint: String(i).padStart(40, '0'), heads });
      return when(state, fact('cut_off.adopted', payload, CAST.gate), CAST.gate);
    };
    for (let i = 0; i < 64; i++) {
      const verdict = adopt(i);
      if (verdict.is === 'refused') throw new Error(verdict.code);
      state = verdict.value;
    }
    expect(adopt(64)).toMatchObject({ code: 'limit_reached', facts: { cut_offs_max: 64 } });
    const said = fact('trust.annotated', annotation(), CAST.root);
    let verdict = when(state, said, CAST.root);
    for (; verdict.is === 'accepted'; verdict = when(state, said, CAST.root)) state = verdict.value;
    expect(verdict).toMatchObject({ code: 'limit_reached', facts: { annotations_max: 256 } });
    expect(state.annotations).toHaveLength(256);
  });
});
