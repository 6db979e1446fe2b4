// Rosters: what makes one sound, and what makes one the next. Each refusal is a way to take over or to lock out a team.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { base64 } from '../../src/format/bytes.ts';
import { checkRoster, rosterDigest, type EncryptTo, type Member, type Roster } from '../../src/kernel/roster/roster.ts';
import { cutOff, rosterUpdate } from '../support/examples.ts';
import {
  CAST,
  PROJECT,
  RUT,
  STRANGER,
  after,
  castRoster,
  fact,
  openedProject,
  projectAfter,
  when,
} from '../support/given.ts';
import { encryptTo, encryptToPoint, member, roster, rosterKey, testKey, nextRoster } from '../support/people.ts';
import { uuid } from '../support/events.ts';
import type { ProjectState } from '../../src/kernel/state.ts';

const ana = testKey('ana');
const bo = testKey('bo');

function readable(encrypt_to: EncryptTo): Member {
  return member(ana, { encrypt_to });
}

function codeOf(members: readonly Member[], changes: Partial<Roster> = {}): string {
  const verdict = checkRoster(nodeCrypto, { ...roster(PROJECT, []), members: [...members], ...changes });
  return verdict.is === 'refused' ? verdict.code : 'sound';
}

describe('a roster', () => {
  it('is sound with one person who holds every role', () => {
    expect(codeOf([member(ana)])).toBe('sound');
  });

  it('is sound with an encryption key that its member’s own key binds, until that one is cut off', () => {
    const members = [member(bo), readable(encryptTo(ana, 'ana'))].reverse();
    expect(codeOf(members)).toBe('sound');
    const barred = checkRoster(nodeCrypto, roster(PROJECT, members), (key) => key === ana.fingerprint);
    expect(barred).toMatchObject({ code: 'encryption_key_unbound' });
  });

  it.each([
    ['members out of order', [member(bo), member(ana)], 'roster_not_canonical'],
    ['one member twice', [member(ana), member(ana)], 'roster_not_canonical'],
    ['roles out of order', [member(ana, { roles: ['root', 'gate'] })], 'roster_not_canonical'],
    ['one role twice', [member(ana, { roles: ['root', 'root'] })], 'roster_not_canonical'],
    ['a key that ends where it begins', [withKey({ from: 5, until: 5 })], 'roster_key_never_valid'],
    ['one key under two members', [member(ana), member(bo, { keys: [rosterKey(ana)] })], 'roster_key_twice'],
    ['a key under another’s fingerprint', [withKey({ fingerprint: bo.fingerprint })], 'roster_key_mislabelled'],
    ['a key certified for somebody else', [member(ana, { principal_id: 'eve' })], 'roster_key_user_id'],
    ['an encryption key that another binds', [readable(encryptTo(bo, 'ana'))], 'encryption_key_unbound'],
    [
      'an encryption key under another’s fingerprint',
      [readable({ ...encryptTo(ana, 'x'), fingerprint: bo.fingerprint })],
      'roster_key_mislabelled',
    ],
    [
      'one encryption key of two members',
      [readable(encryptTo(ana, 'x')), member(bo, { encrypt_to: encryptTo(bo, 'x') })],
      'roster_key_twice',
    ],
    ['an encryption key of a point that is no secret', [readable(encryptToPoint(ana, new Uint8Array(32)))], 'key_weak'],
    [
      'bytes that are no encryption key',
      [readable({ ...encryptTo(ana, 'x'), public_key: base64(Uint8Array.of(1, 2, 3)) })],
      'key_malformed',
    ],
    ['bytes that are no key', [withKey({ public_key: base64(Uint8Array.of(1, 2, 3)) })], 'key_malformed'],
    ['a second spelling of base64', [withKey({ public_key: `${rosterKey(ana).public_key}=` })], 'key_malformed'],
  ])('with %s is refused', (_, members, code) => {
    expect(codeOf(members)).toBe(code);
  });

  it('must be changeable: enough persons hold a root key that does not end', () => {
    expect(codeOf([member(ana)], { threshold: 2 })).toBe('roster_threshold_unreachable');
    expect(codeOf([withKey({ until: 100 })])).toBe('roster_threshold_unreachable');
    expect(codeOf([member(ana, { roles: ['gate'] })])).toBe('roster_threshold_unreachable');
    const oneHuman = [member(ana, { person_id: 'ana' }), member(bo, { person_id: 'ana' })];
    expect(codeOf(oneHuman, { threshold: 2 })).toBe('roster_threshold_unreachable');
    expect(codeOf([member(ana), member(bo)], { threshold: 2 })).toBe('sound');
  });

  function withKey(changes: Parameters<typeof rosterKey>[1]): Member {
    return member(ana, { keys: [rosterKey(ana, changes)] });
  }
});

describe('the next roster', () => {
  const state = openedProject();

  function update(next: Roster, from: ProjectState = state) {
    return when(from, fact('roster.updated', rosterUpdate(next), CAST.root), CAST.root);
  }

  it('comes into force', () => {
    const next = nextRoster(castRoster(), { threshold: 2 });
    expect(after(update(next)).roster).toEqual(next);
  });

  it('cannot be one that was in force before: presented again, its number is too low', () => {
    const first = nextRoster(castRoster());
    const second = nextRoster(first);
    const later = projectAfter(update(second, projectAfter(update(first))));
    for (const old of [castRoster(), first, second])
      expect(update(old, later)).toMatchObject({ code: 'roster_replayed', facts: { expected: 3, found: old.n } });
  });

  it.each([
    ['skips a number', nextRoster(castRoster(), { n: 2 }), 'roster_replayed'],
    ['builds on a roster nobody had', nextRoster(castRoster(), { prev: 'ab'.repeat(32) }), 'roster_not_successor'],
    ['belongs to another project', nextRoster(castRoster(), { project_id: uuid('other') }), 'roster_other_project'],
    ['could never be changed again', nextRoster(castRoster(), { threshold: 3 }), 'roster_threshold_unreachable'],
    ['is unsorted', nextRoster(castRoster(), { members: castRoster().members.toReversed() }), 'roster_not_canonical'],
  ])('cannot be one that %s', (_, next, code) => {
    expect(update(next)).toMatchObject({ is: 'refused', code });
  });

  it('cannot count on a key that is cut off: nobody could ever sign the one after it', () => {
    const said = fact('key.cut_off', cutOff({ fingerprint: RUT.fingerprint }), CAST.root);
    const later = projectAfter(when(state, said, CAST.root));
    expect(update(nextRoster(castRoster(), { threshold: 2 }), later)).toMatchObject({
      code: 'roster_threshold_unreachable',
      facts: { roots: 1, threshold: 2 },
    });
    expect(update(nextRoster(castRoster()), later)).toMatchObject({ is: 'accepted' });
  });

  it('is judged by the roots before it, not by its own', () => {
    const coup = nextRoster(castRoster(), { members: [member(STRANGER)] });
    const said = fact('roster.updated', rosterUpdate(coup, [STRANGER]), CAST.root);
    expect(when(state, said, CAST.root)).toMatchObject({ code: 'threshold_signer_not_root' });
  });

  it('names the one before it by the hash of its canonical bytes', () => {
    const { members, ...rest } = castRoster();
    const respelt = JSON.parse(JSON.stringify({ ...rest, members })) as Roster;
    expect(rosterDigest(nodeCrypto, respelt)).toBe(rosterDigest(nodeCrypto, castRoster()));
    expect(rosterDigest(nodeCrypto, { ...respelt, threshold: 2 })).not.toBe(rosterDigest(nodeCrypto, castRoster()));
  });
});
