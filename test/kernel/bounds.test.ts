// The state stays small enough for its snapshot, whatever is done within the other limits: otherwise a ledger would
// one day meet a segment boundary that no transaction can cross.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { ProjectState, State } from '../../src/kernel/state.ts';
import { snapshotFile } from '../../src/ledger/derived.ts';
import { uuid } from '../support/events.ts';
import { annotation, cutOff, registration } from '../support/examples.ts';
import { CAST, HEAD, after, fact, openedMission, openedProject, projectAfter, when } from '../support/given.ts';

const recent = Array.from({ length: 256 }, (_, i) => uuid(`tx ${i}`));

function hasSnapshot(state: State): boolean {
  return snapshotFile(nodeCrypto, { size: 256_000_000, state, recent }).is === 'accepted';
}

/** Claims in the longest spelling they can have, three bytes for each character. */
function longClaims(mission: number): string[] {
  return Array.from({ length: 32 }, (_, i) => `${mission}-${i}-`.padEnd(200, '日'));
}

describe('claims', () => {
  it('are refused where they would make the snapshot too large; released ones make room', () => {
    let state = openedProject();
    let registered = 0;
    const register = (i: number) => {
      const payload = { ...registration, claims: longClaims(i), mission_id: uuid(`mission ${i}`) };
      return when(state, fact('mission.registered', payload, CAST.gate, { entity: payload.mission_id }), CAST.gate);
    };
    let verdict = register(registered);
    for (; verdict.is === 'accepted'; verdict = register(registered)) {
      state = verdict.value as ProjectState;
      registered += 1;
    }
    expect(verdict.code).toBe('limit_reached');
    expect(registered).toBeGreaterThan(5);
    expect(hasSnapshot(state)).toBe(true);
    const released = { mission_id: uuid('mission 0') };
    const said = fact('claims.released', released, CAST.gate, { entity: released.mission_id });
    state = projectAfter(when(state, said, CAST.gate));
    expect(register(registered)).toMatchObject({ is: 'accepted' });
  });
});

describe('a mission', () => {
  it('with as many cut-offs, annotations and tasks as it may have has a snapshot', async () => {
    const heads = Array.from({ length: 64 }, (_, i) => ({ head: HEAD, ledger_id: uuid(`ledger ${i}`) }));
    let state: State = openedMission();
    let refusal: string | undefined;
    for (let i = 0; refusal === undefined; i++) {
      const payload = await cutOff({ fingerprint: String(i).padStart(40, '0'), heads });
      const verdict = when(state, fact('cut_off.adopted', payload, CAST.gate), CAST.gate);
      if (verdict.is === 'refused') refusal = verdict.code;
      else state = verdict.value;
    }
    expect(refusal).toBe('limit_reached');
    expect(state.cut_offs.length).toBeGreaterThan(5);
    const said = fact('trust.annotated', await annotation(), CAST.root);
    for (let verdict = when(state, said, CAST.root); verdict.is === 'accepted'; verdict = when(state, said, CAST.root))
      state = verdict.value;
    for (let i = 0; i < 500; i++)
      state = after(
        when(state, fact('task.created', { contract: null }, CAST.gate, { task: uuid(`task ${i}`) }), CAST.gate),
      );
    expect(hasSnapshot({ ...state, tasks: mapValues(state) } as State)).toBe(true);
  });
});

/** The longest status everywhere. */
function mapValues(state: State): object {
  return state.kind === 'project'
    ? {}
    : Object.fromEntries(Object.keys(state.tasks).map((task) => [task, 'rolled_back']));
}
