// What a refused roster or threshold tells its reader, and the bounds of both: how many, how long, from when until when.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { base64, fromBase64 } from '../../../src/format/bytes.ts';
import { isBarred } from '../../../src/kernel/roster/barred.ts';
import { keyring } from '../../../src/kernel/roster/keyring.ts';
import {
  checkRoster,
  checkSuccession,
  type EncryptTo,
  isPerson,
  Member,
  personOf,
  Roster,
  rosterDigest,
} from '../../../src/kernel/roster/roster.ts';
import { checkThreshold, RootSignatures } from '../../../src/kernel/roster/threshold.ts';
import { uuid } from '../../support/events.ts';
import { cutOff } from '../../support/examples.ts';
import { CAST, openedProject, PROJECT, RUT } from '../../support/given.ts';
import { encryptTo, member, roster, rosterKey, testKey, signedBy } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const ana = testKey('ana');
const anaLaptop = testKey('ana', 'ana’s second key');
const bo = testKey('bo');
const nobodyBarred: (fingerprint: string) => boolean = () => false;

function check(members: readonly Member[], changes: Partial<Roster> = {}, barred = nobodyBarred) {
  return checkRoster(nodeCrypto, { ...roster(PROJECT, []), members: [...members], ...changes }, barred);
}

function withKey(changes: Parameters<typeof rosterKey>[1]): Member {
  return member(ana, { keys: [rosterKey(ana, changes)] });
}

describe('a roster that is refused says', () => {
  it('what stands out of order', () => {
    expect(check([member(bo), member(ana)])).toEqual(refusal('roster_not_canonical', { what: 'members' }));
    expect(check([member(ana), member(bo, { roles: ['root', 'gate'] })])).toEqual(
      refusal('roster_not_canonical', { what: 'roles of bo' }),
    );
  });

  it('whose key never counts', () => {
    expect(check([withKey({ from: 5, until: 5 })])).toEqual(refusal('roster_key_never_valid', { principal: 'ana' }));
    const second = { keys: [rosterKey(ana), rosterKey(anaLaptop, { from: 5, until: 4 })] };
    expect(check([member(ana, second)])).toMatchObject({ code: 'roster_key_never_valid' });
  });

  it('which machine stands where people stand', () => {
    for (const layer of ['L0', 'L1'] as const)
      expect(check([member(ana), member(bo, { principal_type: 'agent', layer })])).toEqual(
        refusal('roster_layer_wrong', { principal: 'bo', principal_type: 'agent', layer }),
      );
    for (const layer of ['L2', 'L3', 'L4', 'L5'] as const)
      expect(check([member(ana), member(bo, { principal_type: 'agent', layer })])).toMatchObject({ is: 'accepted' });
  });

  it('which account has two members', () => {
    const of = (key: typeof ana, forge_user_id: number | null) => member(key, { forge_user_id });
    expect(check([of(ana, 7), of(bo, 7)])).toEqual(refusal('roster_account_twice', { forge_user_id: 7 }));
    expect(check([of(ana, 7), of(bo, 8)])).toMatchObject({ is: 'accepted' });
    expect(check([of(ana, null), of(bo, null)])).toMatchObject({ is: 'accepted' });
  });

  it('how many can still change it', () => {
    expect(check([member(ana)], { threshold: 2 })).toEqual(
      refusal('roster_threshold_unreachable', { roots: 1, threshold: 2 }),
    );
    const barred = (fingerprint: string) => fingerprint === bo.fingerprint;
    expect(check([member(ana), member(bo)], { threshold: 2 }, barred)).toMatchObject({ facts: { roots: 1 } });
    const lasting = member(ana, { keys: [rosterKey(ana, { until: 9 }), rosterKey(anaLaptop)] });
    expect(check([lasting])).toMatchObject({ is: 'accepted' });
    // Nobody is cut off unless somebody says so.
    expect(checkRoster(nodeCrypto, roster(PROJECT, [member(ana)]))).toMatchObject({ is: 'accepted' });
  });

  it('whose key is wrong, and how', () => {
    const facts = { principal: 'ana', fingerprint: ana.fingerprint };
    expect(check([withKey({ fingerprint: bo.fingerprint })])).toEqual(
      refusal('roster_key_mislabelled', { ...facts, fingerprint: bo.fingerprint }),
    );
    expect(check([member(ana, { principal_id: 'eve' })])).toEqual(
      refusal('roster_key_user_id', { ...facts, principal: 'eve' }),
    );
    expect(check([withKey({ public_key: `${rosterKey(ana).public_key}=` })])).toEqual(refusal('key_malformed', facts));
    expect(check([member(ana), member(bo, { keys: [rosterKey(ana)] })])).toEqual(
      refusal('roster_key_twice', { ...facts, principal: 'bo' }),
    );
    const cut = fromBase64(rosterKey(ana).public_key)!.subarray(0, 40);
    const verdict = check([withKey({ public_key: base64(cut) })]);
    expect(verdict).toMatchObject({ code: 'key_malformed', facts });
    expect(verdict.is === 'refused' && Object.keys(verdict.facts).length).toBeGreaterThan(2);
  });

  it('that a key is too long before it reads it', () => {
    const facts = { principal: 'ana', fingerprint: ana.fingerprint };
    const long = new Uint8Array(1025);
    long.set(fromBase64(rosterKey(ana).public_key)!);
    expect(check([withKey({ public_key: base64(long) })])).toEqual(refusal('key_malformed', facts));
    // One of the longest is read, and what is wrong with it is told.
    const verdict = check([withKey({ public_key: base64(long.subarray(0, 1024)) })]);
    expect(verdict.is === 'refused' && Object.keys(verdict.facts).length).toBeGreaterThan(2);
  });

  it('whose encryption key is wrong, and how', () => {
    const mine = encryptTo(ana, 'ana');
    const reads = (changes: Partial<EncryptTo>) => member(ana, { encrypt_to: { ...mine, ...changes } });
    const facts = { principal: 'ana', fingerprint: mine.fingerprint };
    expect(check([reads({})])).toMatchObject({ is: 'accepted' });
    expect(check([reads({ fingerprint: bo.fingerprint })])).toEqual(
      refusal('roster_key_mislabelled', { ...facts, fingerprint: bo.fingerprint }),
    );
    expect(check([reads({ public_key: `${mine.public_key}=` })])).toEqual(refusal('key_malformed', facts));
    expect(check([reads({}), member(bo, { encrypt_to: encryptTo(bo, 'ana') })])).toEqual(
      refusal('roster_key_twice', { ...facts, principal: 'bo' }),
    );
    const unbound = check([member(ana, { encrypt_to: encryptTo(bo, 'ana') })]);
    expect(unbound).toMatchObject({ code: 'encryption_key_unbound', facts });
    const long = new Uint8Array(1025);
    long.set(fromBase64(mine.public_key)!);
    expect(check([reads({ public_key: base64(long) })])).toEqual(refusal('key_malformed', facts));
    const read = check([reads({ public_key: base64(long.subarray(0, 1024)) })]);
    expect(read).toMatchObject({ is: 'refused', facts });
    expect(read.is === 'refused' && Object.keys(read.facts).length).toBeGreaterThan(2);
  });

  it('nothing of an encryption key that the second of two keys binds, once the first is cut off', () => {
    const keys = [rosterKey(ana), rosterKey(anaLaptop)];
    const two = (by: typeof ana) => [member(ana, { keys, encrypt_to: encryptTo(by, 'ana') })];
    const barred = (fingerprint: string) => fingerprint === ana.fingerprint;
    expect(check(two(anaLaptop), {}, barred)).toMatchObject({ is: 'accepted' });
    expect(check(two(ana), {}, barred)).toMatchObject({ code: 'encryption_key_unbound' });
  });

  it('what should have come next', () => {
    const current = roster(PROJECT, [member(ana)]);
    const digest = rosterDigest(nodeCrypto, current);
    const next = { ...current, n: 1, prev: digest };
    const succeed = (changes: Partial<Roster>) =>
      checkSuccession(nodeCrypto, current, { ...next, ...changes }, nobodyBarred);
    expect(succeed({})).toMatchObject({ is: 'accepted' });
    expect(succeed({ project_id: uuid('other') })).toEqual(refusal('roster_other_project', { project: uuid('other') }));
    expect(succeed({ n: 2 })).toEqual(refusal('roster_replayed', { expected: 1, found: 2 }));
    expect(succeed({ prev: null })).toEqual(refusal('roster_not_successor', { expected: digest }));
  });
});

describe('a roster', () => {
  it('holds 1 to 64 members, each with 1 to 4 keys and a role', () => {
    const one = member(ana);
    const taken = (changes: object) => Roster.safeParse({ ...roster(PROJECT, [one]), ...changes }).success;
    const members = (n: number) => Array.from({ length: n }, () => one);
    expect([0, 1, 64, 65].map((n) => taken({ members: members(n) }))).toEqual([false, true, true, false]);
    expect([0, 1, 64, 65].map((threshold) => taken({ threshold }))).toEqual([false, true, true, false]);
    const keys = (n: number) => Array.from({ length: n }, () => rosterKey(ana));
    const has = (changes: object) => Member.safeParse({ ...one, ...changes }).success;
    expect([0, 1, 4, 5].map((n) => has({ keys: keys(n) }))).toEqual([false, true, true, false]);
    const roles = (n: number) => Array.from({ length: n }, () => 'root');
    expect([0, 1, 6, 7].map((n) => has({ roles: roles(n) }))).toEqual([false, true, true, false]);
    const key = (length: number) => has({ keys: [rosterKey(ana, { public_key: 'A'.repeat(length) })] });
    expect([0, 1, 1368, 1369].map(key)).toEqual([false, true, true, false]);
    const mine = encryptTo(ana, 'ana');
    const reads = (changes: object) => has({ encrypt_to: { ...mine, ...changes } });
    expect([0, 1, 1368, 1369].map((n) => reads({ public_key: 'A'.repeat(n) }))).toEqual([false, true, true, false]);
    expect([reads({}), reads({ more: 1 }), reads({ fingerprint: 'x' })]).toEqual([true, false, false]);
  });

  it('counts as people those who decide, by the person behind them', () => {
    expect(isPerson(member(ana))).toBe(true);
    expect(isPerson(member(ana, { roles: ['root'] }))).toBe(false);
    expect(isPerson(member(ana, { principal_type: 'agent' }))).toBe(false);
    expect(personOf(member(ana, { person_id: 'anastasia' }))).toBe('anastasia');
    expect(personOf(member(ana, { person_id: null }))).toBe('ana');
  });

  it('has its keys parsed once, each under its fingerprint', () => {
    const two = roster(PROJECT, [member(ana, { keys: [rosterKey(ana), rosterKey(anaLaptop)] }), member(bo)]);
    const keys = keyring(nodeCrypto, two);
    expect(keyring(nodeCrypto, two)).toBe(keys);
    if (keys.is === 'refused') throw new Error(keys.code);
    expect(
      [...keys.value].map(
        ([
          fingerprint,
          {
            member: { principal_id },
          },
        ]) => [fingerprint, principal_id],
      ),
    ).toEqual([
      [ana.fingerprint, 'ana'],
      [anaLaptop.fingerprint, 'ana'],
      [bo.fingerprint, 'bo'],
    ]);
  });

  it('is cut off key by key', () => {
    const { cut_off } = cutOff({ fingerprint: RUT.fingerprint });
    const barred = isBarred({ cut_offs: [cut_off] });
    expect([barred(RUT.fingerprint), barred(CAST.root.fingerprint)]).toEqual([true, false]);
    expect(isBarred(openedProject())(RUT.fingerprint)).toBe(false);
  });
});

describe('a threshold that is refused says', () => {
  const judges = roster(PROJECT, [
    member(ana, { roles: ['root'] }),
    member(bo, { roles: ['root'], keys: [rosterKey(bo, { from: 5, until: 20 })] }),
    member(CAST.gate, { roles: ['gate'] }),
  ]);
  const document = { n: 7 };
  const judge = (keys: readonly (typeof ana)[], changes: object = {}, by = judges, barred = nobodyBarred) =>
    checkThreshold(nodeCrypto, by, barred, {
      purpose: 'roster',
      document,
      basis: 10,
      signatures: signedBy(keys, 'roster', document),
      ...changes,
    });

  it('which signature is out of order, or nobody’s', () => {
    const [first, second] = signedBy([ana, bo], 'roster', document);
    expect(judge([], { signatures: [second, first] })).toEqual(
      refusal('threshold_not_canonical', { fingerprint: first!.fingerprint }),
    );
    const { fingerprint } = CAST.gate;
    expect(judge([CAST.gate])).toEqual(refusal('threshold_signer_not_root', { fingerprint }));
  });

  it('which key did not count, and when', () => {
    const { fingerprint } = bo;
    expect(judge([bo], { basis: 20 })).toEqual(
      refusal('threshold_signer_outside_validity', { fingerprint, basis: 20 }),
    );
    // A mission adopts late: what counted since its last transaction counts.
    expect(judge([bo], { basis: 30, since: 19 })).toEqual({ is: 'accepted', value: 1 });
    expect(judge([bo], { basis: 30, since: 20 })).toMatchObject({ code: 'threshold_signer_outside_validity' });
    expect(judge([bo], { basis: 4, since: 4 })).toMatchObject({ code: 'threshold_signer_outside_validity' });
  });

  it('which signature is wrong, and how', () => {
    expect(judge([ana], { document: { n: 8 } })).toEqual(
      refusal('threshold_signature_invalid', { fingerprint: ana.fingerprint, flaw: 'signature_invalid' }),
    );
  });

  it('how many persons signed how often, and how many must', () => {
    expect(judge([ana], {}, { ...judges, threshold: 2 })).toEqual(
      refusal('threshold_not_met', { persons: 1, signatures: 1, threshold: 2 }),
    );
    expect(judge([ana, bo], {}, { ...judges, threshold: 2 })).toEqual({ is: 'accepted', value: 2 });
  });

  it('what is wrong with the roster itself', () => {
    const broken = { ...judges, members: [...judges.members, member(ana)] };
    expect(judge([ana], {}, broken)).toMatchObject({ code: 'roster_key_twice' });
  });

  it('in 1 to 32 signatures of at most 1024 characters', () => {
    const one = { fingerprint: ana.fingerprint, signature: 'AAAA' };
    const many = (n: number) => RootSignatures.safeParse(Array.from({ length: n }, () => one)).success;
    expect([0, 1, 32, 33].map(many)).toEqual([false, true, true, false]);
    const long = (n: number) => RootSignatures.safeParse([{ ...one, signature: 'A'.repeat(n) }]).success;
    expect([1, 1024, 1025].map(long)).toEqual([true, true, false]);
    expect(RootSignatures.safeParse([{ ...one, more: 1 }]).success).toBe(false);
  });
});

it('a machine that cannot hash refuses nobody: it stops', () => {
  const hash = (): never => {
    throw new TypeError('no such algorithm');
  };
  const broken = { ...nodeCrypto, hash, hashHex: hash };
  const signed = {
    purpose: 'roster',
    document: {},
    basis: 0,
    signatures: signedBy([ana], 'roster', {}),
  } as const;
  const judges = roster(PROJECT, [member(ana)]);
  expect(() => keyring(broken, judges)).toThrow('no such algorithm');
  expect(keyring(nodeCrypto, judges)).toMatchObject({ is: 'accepted' });
  expect(() => checkThreshold(broken, judges, nobodyBarred, signed)).toThrow('no such algorithm');
  const readers = roster(PROJECT, [member(ana, { encrypt_to: encryptTo(ana, 'ana') })]);
  expect(checkRoster(nodeCrypto, readers)).toMatchObject({ is: 'accepted' });
  expect(() => checkRoster(broken, readers)).toThrow('no such algorithm');
});
