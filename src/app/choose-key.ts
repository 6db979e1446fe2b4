// Which of the keys here to sign with: the one that was named, or the only one, or the only one that the roster knows as
// a person's and that is not about to end.
import { Failure } from '../failure.ts';
import type { Role } from '../kernel/principal.ts';
import type { Member, Roster } from '../kernel/roster/roster.ts';
import type { StoredKey } from '../ports/keys.ts';

export function chooseKey(
  keys: readonly StoredKey[],
  wanted: string | undefined,
  roster: Roster | undefined,
): StoredKey {
  const named = wanted === undefined ? keys : keys.filter((key) => matches(key, wanted));
  return only(named.length < 2 ? named : inForce(named, roster), wanted ?? 'any');
}

/**
 * After a rotation both keys carry the same name: the one without an end is meant. And beside a person's key lies that of
 * their computer, which signs by itself and is never what a person means without naming it.
 */
function inForce(keys: readonly StoredKey[], roster: Roster | undefined): readonly StoredKey[] {
  const listed = new Map(
    (roster?.members ?? []).flatMap(({ keys, principal_type }) =>
      keys.map(({ fingerprint, until }) => [fingerprint, { until, isPersons: principal_type === 'user' }] as const),
    ),
  );
  const known = keys.filter((key) => listed.has(key.fingerprint));
  const lasting = known.filter((key) => listed.get(key.fingerprint)?.until === null);
  const persons = lasting.filter((key) => listed.get(key.fingerprint)?.isPersons === true);
  return [persons, lasting, known, keys].find((some) => some.length > 0) ?? keys;
}

function only(found: readonly StoredKey[], wanted: string): StoredKey {
  const [first, second] = found;
  if (first === undefined) throw new Failure('key_not_found', { wanted });
  if (second !== undefined)
    throw new Failure('key_ambiguous', {
      wanted,
      candidates: found.map((key) => `${key.fingerprint} ${key.userId}`),
    });
  return first;
}

function matches(key: StoredKey, wanted: string): boolean {
  return key.fingerprint.startsWith(wanted.toUpperCase()) || key.userId.startsWith(`${wanted} <`);
}

/** Of whoever plans, runs and writes on a computer of a person's own. */
export const MACHINE_ROLES: readonly Role[] = ['gate', 'runner', 'writer'];

/** Keys here that may do all of that and have no end: a machine's first, then those of persons. */
export function machineKeys({ members }: Roster, keys: readonly StoredKey[]): readonly StoredKey[] {
  const able = members.filter(({ roles }) => MACHINE_ROLES.every((role) => roles.includes(role)));
  return [...able.filter(isMachine), ...able.filter((one) => !isMachine(one))].flatMap((member) =>
    member.keys.flatMap(({ fingerprint, until }) =>
      until === null ? keys.filter((key) => key.fingerprint === fingerprint) : [],
    ),
  );
}

function isMachine({ principal_type }: Member): boolean {
  return principal_type !== 'user';
}
