// The roster: who counts, with which keys, in which roles, from which index on. A document inside signed events;
// what makes one valid after another is decided here, whose signatures it needs in threshold.ts.
import { z } from 'zod';
import { jcs } from '../../format/jcs.ts';
import { utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { KEYS_PER_MEMBER_MAX, MEMBERS_MAX, PUBLIC_KEY_BYTES_MAX } from '../limits.ts';
import { Layer, PrincipalType, Role } from '../principal.ts';
import { Base64, Count, Index, KeyFingerprint, RootHash, Slug, Uuid } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { keyring } from './keyring.ts';
import { checkReaders } from './readers.ts';

export const RosterKey = z.strictObject({
  fingerprint: KeyFingerprint,
  /** The key signs transactions whose basis (a project ledger size) is in [from, until). */
  from: Index,
  public_key: Base64.max(Math.ceil(PUBLIC_KEY_BYTES_MAX / 3) * 4),
  until: Index.nullable(),
});
export type RosterKey = z.infer<typeof RosterKey>;

/** Where what only its people should read can be encrypted to. Signed for by one of the member's own keys. */
export const EncryptTo = z.strictObject({
  fingerprint: KeyFingerprint,
  public_key: Base64.max(Math.ceil(PUBLIC_KEY_BYTES_MAX / 3) * 4),
});
export type EncryptTo = z.infer<typeof EncryptTo>;

export const Member = z.strictObject({
  /** Left out where there is none. */
  encrypt_to: EncryptTo.optional(),
  /** The forge's numeric user id: names can be changed, this cannot. */
  forge_user_id: Count.nullable(),
  keys: z.array(RosterKey).min(1).max(KEYS_PER_MEMBER_MAX),
  layer: Layer,
  /** The human behind several principals: a threshold counts each person once. */
  person_id: Slug.nullable(),
  principal_id: Slug,
  principal_type: PrincipalType,
  roles: z.array(Role).min(1).max(Role.options.length),
});
export type Member = z.infer<typeof Member>;

export const Roster = z.strictObject({
  members: z.array(Member).min(1).max(MEMBERS_MAX),
  n: Count,
  /** SHA-256 of the previous roster's canonical bytes; null for the first. */
  prev: RootHash.nullable(),
  project_id: Uuid,
  /** How many different persons among the roots must sign the next roster, a cut-off, a repair. */
  threshold: z.int().min(1).max(MEMBERS_MAX),
});
export type Roster = z.infer<typeof Roster>;

/** The roof and the human above all machines. */
const LAYERS_OF_PEOPLE: ReadonlySet<Member['layer']> = new Set<Member['layer']>(['L0', 'L1']);

const digests = new WeakMap<Roster, string>();

/** SHA-256 over the roster's canonical bytes, in hex: what the trailer `Ledger-Roster` and the next roster cite. */
export function rosterDigest(crypto: Crypto, roster: Roster): string {
  let digest = digests.get(roster);
  if (digest === undefined) {
    digest = crypto.hashHex('sha256', utf8(jcs(roster)));
    digests.set(roster, digest);
  }
  return digest;
}

/**
 * Whether a roster is sound by itself: unique, sorted, every key what it says, the threshold within reach of keys that
 * neither end nor are `barred`.
 */
export function checkRoster(
  crypto: Crypto,
  roster: Roster,
  barred: (fingerprint: string) => boolean = () => false,
): Verdict<Roster> {
  const names = roster.members.map((member) => member.principal_id);
  if (!isSortedUnique(names)) return refuse('roster_not_canonical', { what: 'members' });
  for (const member of roster.members) {
    if (!isSortedUnique(member.roles))
      return refuse('roster_not_canonical', { what: `roles of ${member.principal_id}` });
    if (member.keys.some((key) => key.until !== null && key.until <= key.from))
      return refuse('roster_key_never_valid', { principal: member.principal_id });
    // What people decide and what machines dispatch must not look alike.
    if (member.principal_type !== 'user' && LAYERS_OF_PEOPLE.has(member.layer))
      return refuse('roster_layer_wrong', {
        principal: member.principal_id,
        principal_type: member.principal_type,
        layer: member.layer,
      });
  }
  const account = twice(roster.members.flatMap(({ forge_user_id }) => forge_user_id ?? []));
  if (account !== undefined) return refuse('roster_account_twice', { forge_user_id: account });
  const keys = keyring(crypto, roster);
  if (keys.is === 'refused') return keys;
  const readers = checkReaders(crypto, roster, keys.value, barred);
  if (readers.is === 'refused') return readers;
  const lasting = (key: RosterKey): boolean => key.until === null && !barred(key.fingerprint);
  const roots = new Set(roster.members.filter((m) => m.roles.includes('root') && m.keys.some(lasting)).map(personOf));
  if (roots.size < roster.threshold)
    return refuse('roster_threshold_unreachable', { roots: roots.size, threshold: roster.threshold });
  return accept(roster);
}

/** Whether `next` may follow `current`; its signatures are checked apart. */
export function checkSuccession(
  crypto: Crypto,
  current: Roster,
  next: Roster,
  barred: (fingerprint: string) => boolean,
): Verdict<Roster> {
  if (next.project_id !== current.project_id) return refuse('roster_other_project', { project: next.project_id });
  // A roster that was once in force and is presented again has a lower or equal number: the replay is named.
  if (next.n !== current.n + 1) return refuse('roster_replayed', { expected: current.n + 1, found: next.n });
  if (next.prev !== rosterDigest(crypto, current))
    return refuse('roster_not_successor', { expected: rosterDigest(crypto, current) });
  return checkRoster(crypto, next, barred);
}

/** Somebody who decides: an agent or a service with the role person is none. */
export function isPerson(member: Member): boolean {
  return member.roles.includes('person') && member.principal_type === 'user';
}

/** Whom a vote counts for: the person behind a principal, or the principal itself. */
export function personOf(member: Member): string {
  return member.person_id ?? member.principal_id;
}

function isSortedUnique(words: readonly string[]): boolean {
  return words.every((word, i) => i === 0 || words[i - 1]! < word);
}

/** An account with two members would make one person's word that of another. */
function twice(accounts: readonly number[]): number | undefined {
  return accounts.find((one, i) => accounts.indexOf(one) < i);
}
