// Which of a person's keys to sign with: the one that was named, or the only one, or the only one that the roster knows.
import { Failure } from '../failure.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import type { StoredKey } from '../ports/keys.ts';

export function chooseKey(
  keys: readonly StoredKey[],
  wanted: string | undefined,
  roster: Roster | undefined,
): StoredKey {
  if (wanted !== undefined)
    return only(
      keys.filter((key) => matches(key, wanted)),
      wanted,
    );
  if (keys.length === 0) throw new Failure('key_not_found', { wanted: 'any' });
  if (keys.length === 1 || roster === undefined) return only(keys, 'any');
  const listed = new Set(roster.members.flatMap((member) => member.keys.map((key) => key.fingerprint)));
  const known = keys.filter((key) => listed.has(key.fingerprint));
  return only(known.length > 0 ? known : keys, 'any');
}

function only(found: readonly StoredKey[], wanted: string): StoredKey {
  const [first, second] = found;
  if (first === undefined) throw new Failure('key_not_found', { wanted });
  if (second !== undefined)
    throw new Failure('key_ambiguous', { wanted, candidates: found.map((key) => `${key.fingerprint} ${key.userId}`) });
  return first;
}

function matches(key: StoredKey, wanted: string): boolean {
  return key.fingerprint.startsWith(wanted.toUpperCase()) || key.userId.startsWith(`${wanted} <`);
}
