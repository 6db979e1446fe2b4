// The next roster out of the one in force: a member added, removed, changed, a key rotated, another threshold. Says what
// the change is; whether the result is a sound successor is the kernel's judgement, asked at the end of each.
import { base64, fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { binderNamedIn, type EncryptionKey } from '../../format/openpgp/encryption-key.ts';
import type { PublicKey } from '../../format/openpgp/public-key.ts';
import { jcs } from '../../format/jcs.ts';
import { KEYS_PER_MEMBER_MAX } from '../../kernel/limits.ts';
import type { Role } from '../../kernel/principal.ts';
import {
  checkSuccession,
  Roster,
  rosterDigest,
  type EncryptTo,
  type Member,
  type RosterKey,
} from '../../kernel/roster/roster.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { principalOf } from '../begin.ts';
import type { Electorate } from './electorate.ts';

export type MemberFacts = Omit<Member, 'keys' | 'principal_id'>;

/** `change` is asked for the members and threshold after; the rest follows. */
export type RosterChange = (current: Roster) => Verdict<Partial<Pick<Roster, 'members' | 'threshold'>>>;

export function nextRoster(crypto: Crypto, electorate: Electorate, change: RosterChange): Verdict<Roster> {
  const { roster, barred } = electorate;
  const changed = change(roster);
  if (changed.is === 'refused') return changed;
  const after = { ...roster, ...changed.value };
  if (jcs(after) === jcs(roster)) return refuse('roster_unchanged', { n: roster.n });
  const members = after.members.map(canonical).sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1));
  const next: Roster = { ...after, members, n: roster.n + 1, prev: rosterDigest(crypto, roster) };
  // A draft meets the event codec, which checks shapes, only when it is applied: too late for whoever signed it.
  const shape = Roster.safeParse(next);
  if (!shape.success)
    return refuse('event_malformed', { event_type: 'roster.updated', at: shape.error.issues[0]?.path.join('.') ?? '' });
  return checkSuccession(crypto, roster, next, barred);
}

/** People decide above all machines; what only runs is a worker, what also takes missions in stands where they come in. */
export function layerFor(type: Member['principal_type'], roles: readonly Role[]): Member['layer'] {
  if (type === 'user') return 'L1';
  return roles.every((role) => role === 'runner') ? 'L5' : 'L3';
}

/** Where a member's words can be encrypted to, as its key says itself. */
export function encryptTo({ fingerprint, bytes }: EncryptionKey): EncryptTo {
  return { fingerprint, public_key: base64(bytes) };
}

/** Adds the principal that the key was made for. */
export function addMember(key: PublicKey, from: number, facts: MemberFacts): RosterChange {
  return (current) => {
    const principal = principalOf(key.userId);
    if (principal.is === 'refused') return principal;
    if (current.members.some((member) => member.principal_id === principal.value))
      return refuse('roster_member_exists', { principal: principal.value });
    const member: Member = { ...facts, keys: [rosterKey(key, from)], principal_id: principal.value };
    return accept({ members: [...current.members, member] });
  };
}

export function removeMember(principalId: string): RosterChange {
  return (current) => {
    const members = current.members.filter((member) => member.principal_id !== principalId);
    return members.length === current.members.length ? unknown(principalId) : accept({ members });
  };
}

export function setMember(principalId: string, facts: Partial<MemberFacts>): RosterChange {
  return (current) => changeOne(current, principalId, (member) => ({ ...member, ...facts }));
}

/** The member can be encrypted to no more. */
export function withoutEncryption(principalId: string): RosterChange {
  return (current) => changeOne(current, principalId, withoutKey);
}

function withoutKey({ encrypt_to: _reader, ...member }: Member): Member {
  return member;
}

/** The one after the other. */
export function both(first: RosterChange, second: RosterChange): RosterChange {
  return (current) => {
    const changed = first(current);
    return changed.is === 'refused' ? changed : second({ ...current, ...changed.value });
  };
}

export function setThreshold(threshold: number): RosterChange {
  return () => accept({ threshold });
}

/** The key counts from `from`; the principal's other keys end there, or `overlap` events later. */
export function rotateKey(key: PublicKey, from: number, overlap: number, encryption?: EncryptionKey): RosterChange {
  return (current) => {
    const principal = principalOf(key.userId);
    if (principal.is === 'refused') return principal;
    return changeOne(current, principal.value, (member) => {
      const ended = member.keys.map((old) => ({ ...old, until: old.until ?? Math.max(from, old.from + 1) + overlap }));
      // Keys that ended long ago stand in the rosters of their time; there is room for so many only.
      const kept = ended.sort((a, b) => a.until - b.until).slice(1 - KEYS_PER_MEMBER_MAX);
      const next = { ...member, keys: [...kept, rosterKey(key, from)] };
      if (encryption !== undefined) return { ...next, encrypt_to: encryptTo(encryption) };
      // What a key bound that is listed no more counts no more.
      return binderOf(member) === undefined || kept.some((one) => one.fingerprint === binderOf(member))
        ? next
        : withoutKey(next);
    });
  };
}

/** Whose signature binds the encryption key, as far as its bytes say so. */
function binderOf({ encrypt_to }: Member): string | undefined {
  const bytes = encrypt_to && fromBase64(encrypt_to.public_key);
  return bytes && binderNamedIn(bytes);
}

function changeOne(current: Roster, principalId: string, change: (member: Member) => Member): ReturnType<RosterChange> {
  if (!current.members.some((member) => member.principal_id === principalId)) return unknown(principalId);
  const members = current.members.map((member) => (member.principal_id === principalId ? change(member) : member));
  return accept({ members });
}

function canonical(member: Member): Member {
  return { ...member, roles: [...new Set(member.roles)].sort() };
}

function rosterKey(key: PublicKey, from: number): RosterKey {
  return { fingerprint: key.fingerprint, from, public_key: base64(key.bytes), until: null };
}

function unknown(principalId: string): ReturnType<RosterChange> {
  return refuse('roster_member_unknown', { principal: principalId });
}
