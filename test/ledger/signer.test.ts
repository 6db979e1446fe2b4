// Whose signature counts, and under which project head: keys begin, end and are cut off by the size of the project.
import { describe, expect, it } from 'vitest';
import { fromUtf8 } from '../../src/format/bytes.ts';
import { headOf, type Tip } from '../../src/ledger/tip.ts';
import { uuid } from '../support/events.ts';
import { cutOff, cutOffAdoption, registration, rosterAdoption } from '../support/examples.ts';
import { CAST, STRANGER, castRoster, fact, missionOpened } from '../support/given.ts';
import { member, rosterKey, nextRoster } from '../support/people.ts';
import {
  notes,
  prepare,
  write,
  writtenMission,
  writtenProject,
  expectReread,
  expectRefused,
} from '../support/written.ts';

const project = writtenProject();
const mission = writtenMission(project.tip);

describe('a signer', () => {
  const limited = castRoster();
  const members = limited.members.map((one) =>
    one.principal_id === 'gate'
      ? member(CAST.gate, { roles: ['gate'], keys: [rosterKey(CAST.gate, { from: 1, until: 3 })] })
      : one,
  );
  const start = writtenProject({ ...limited, members }).tip;
  const register = (tip: Tip) => {
    const payload = { ...registration, claims: [], mission_id: uuid(`mission ${tip.size}`) };
    return [fact('mission.registered', payload, CAST.gate, { entity: payload.mission_id })];
  };

  it('not on the roster is refused', () => {
    expectRefused(prepare(mission.tip, notes(1, 0, STRANGER), STRANGER), 'signer_unknown');
  });

  it('signs while its key is valid by the project’s size, and not after', () => {
    const first = write(start, register(start), CAST.gate);
    const second = write(first.tip, register(first.tip), CAST.gate);
    expectReread(second);
    expect(second.tip.size).toBe(3);
    expectRefused(prepare(second.tip, register(second.tip), CAST.gate), 'signer_outside_validity');
  });

  it('of a mission is judged at the project head that is cited', () => {
    const begun = writtenMission(start).tip;
    const at = (size: number) => prepare(begun, notes(1), CAST.gate, { project: { ...headOf(start), size } });
    expect(at(2).is).toBe('accepted');
    expectRefused(at(3), 'signer_outside_validity');
  });

  it('whose key is cut off signs nothing more, not even in missions that grow later', () => {
    const cut = cutOff({ fingerprint: CAST.gate.fingerprint });
    const { tip } = write(project.tip, [fact('key.cut_off', cut, CAST.root)], CAST.root);
    expectRefused(prepare(tip, register(tip), CAST.gate), 'signer_cut_off');
    expect(() => writtenMission(tip)).toThrow('signer_cut_off');
    expectReread(writtenMission(tip, CAST.person));
  });
});

describe('a signer who leaves', () => {
  const without = nextRoster(castRoster(), {
    members: castRoster().members.filter(({ principal_id }) => principal_id !== 'gate'),
  });

  it('may carry the roster that removes it into a mission, and nothing behind it in the same transaction', () => {
    const adopted = fact('roster.adopted', rosterAdoption(without), CAST.gate);
    expectReread(write(mission.tip, [adopted], CAST.gate));
    expectRefused(prepare(mission.tip, [adopted, ...notes(1)], CAST.gate), 'signer_unknown');
    expect(prepare(mission.tip, [...notes(1), adopted], CAST.gate).is).toBe('accepted');
  });

  it('loses, in the same transaction, the role that the new roster takes away', () => {
    const members = castRoster().members.map((one) =>
      one.principal_id === 'gate' ? { ...one, roles: ['witness' as const] } : one,
    );
    const adopted = fact('roster.adopted', rosterAdoption(nextRoster(castRoster(), { members })), CAST.gate);
    expectRefused(prepare(mission.tip, [adopted, ...notes(1)], CAST.gate), 'role_not_allowed');
  });

  it('signs nothing behind its own cut-off', () => {
    const cut = fact('cut_off.adopted', cutOffAdoption({ fingerprint: CAST.gate.fingerprint }), CAST.gate);
    expectRefused(prepare(mission.tip, [cut, ...notes(1)], CAST.gate), 'signer_cut_off');
  });
});

describe('the project head that a mission cites', () => {
  const older = mission.tip.project!;
  const newer = { size: 5, root: '12'.repeat(32), oid: '34'.repeat(20) };

  it('may move forward, and stays when nothing is said', () => {
    const moved = write(mission.tip, notes(1), CAST.gate, { project: newer });
    expectReread(moved);
    expect(write(moved.tip, notes(1), CAST.gate).tip.project).toEqual(newer);
  });

  it.each([
    ['an older one', older],
    ['another one of the same size', { ...newer, root: '56'.repeat(32) }],
    ['the same one by another commit', { ...newer, oid: '56'.repeat(20) }],
  ])('cannot go back to %s: an old roster would be in force again', (_, project) => {
    const { tip } = write(mission.tip, notes(1), CAST.gate, { project: newer });
    expectRefused(prepare(tip, notes(1), CAST.gate, { project }), 'project_head_decreased');
  });

  it('is at first the one that the mission grew from', () => {
    const begin = mission.before;
    const opening = { ...missionOpened(CAST.gate).payload, grew_from: older };
    const said = fact('mission.opened', opening, CAST.gate);
    expectRefused(prepare(begin, [said], CAST.gate, { project: newer }), 'project_head_decreased');
  });

  it('does not exist in a project ledger', () => {
    const said = [fact('halt.declared', {}, CAST.root)];
    expect(fromUtf8(write(project.tip, said, CAST.root, { project: newer }).commit.body)).not.toContain(
      'Ledger-Project',
    );
  });
});
