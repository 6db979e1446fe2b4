// Who reads what only the roster's people should read: persons whose key to encrypt to is bound by a key that is good now.
import { expect, it } from 'vitest';
import { peopleWhoRead } from '../../src/kernel/roster/people.ts';
import type { Member } from '../../src/kernel/roster/roster.ts';
import type { ProjectState } from '../../src/kernel/state.ts';
import { ANA, BEN, encryptTo, member, roster, rosterKey, testKey } from '../support/people.ts';
import { PROJECT } from '../support/given.ts';

const NEW = testKey('ana', 'ana’s second key');
const reads = (changes: Partial<Member> = {}): Member => member(ANA, { encrypt_to: encryptTo(ANA, 'ana'), ...changes });

function readers(members: readonly Member[], cutOff: readonly string[] = []): readonly string[] {
  const cut_offs = cutOff.map((fingerprint) => ({ fingerprint })) as unknown as ProjectState['cut_offs'];
  return peopleWhoRead({ roster: roster(PROJECT, members), cut_offs }).map(({ principal }) => principal);
}

it('persons with a key to encrypt to read, and nobody else', () => {
  const [found] = peopleWhoRead({ roster: roster(PROJECT, [reads(), member(BEN)]), cut_offs: [] });
  expect(found).toMatchObject({ principal: 'ana', fingerprint: encryptTo(ANA, 'ana').fingerprint });
  expect(readers([reads(), member(BEN)])).toEqual(['ana']);
  expect(readers([reads({ roles: ['runner'] })])).toEqual([]);
  expect(readers([reads({ principal_type: 'agent' })])).toEqual([]);
});

it('nobody reads by a key that a cut-off key bound, though the roster still lists it', () => {
  const both = reads({ keys: [rosterKey(ANA), rosterKey(NEW)] });
  expect(readers([both])).toEqual(['ana']);
  expect(readers([both], [ANA.fingerprint])).toEqual([]);
  // Bound by the key that is still good, it counts.
  expect(readers([{ ...both, encrypt_to: encryptTo(NEW, 'ana') }], [ANA.fingerprint])).toEqual(['ana']);
});

it('who has no signing key left reads nothing more', () => {
  expect(readers([reads({ keys: [rosterKey(ANA, { until: 5 })] })])).toEqual([]);
  expect(readers([reads({ keys: [rosterKey(ANA, { until: 5 }), rosterKey(NEW)] })])).toEqual(['ana']);
});
