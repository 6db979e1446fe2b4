// Which of a person's keys to sign with: the one that was named, or the only one, or the only one that the roster knows
// and that is not about to end.
import { Failure } from '../failure.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import type { StoredKey } from '../ports/keys.ts';

export function chooseKey(
  keys: readonly StoredKey[],
  wanted: string | undefined,
  roster: Roster | undefined,
): StoredKey {
  const named = wanted === undefined ? keys : keys.filter((key) => matches(key, wanted));
  return only(named.length < 2 ? named : inForce(named, roster), wanted ?? 'any');
}

/** After a rotation both keys carry the same name: the one without an end is meant. */
function inForce(keys: readonly StoredKey[], roster: Roster | undefined): readonly StoredKey[] {
  const listed = new Map(
    (roster?.members ?? []).flatMap((member) => member.keys).map((key) => [key.fingerprint, key.until]),
  );
  const known = keys.filter((key) => listed.has(key.fingerprint));
  const lasting = known.filter((key) => listed.get(key.fingerprint) === null);
  return [lasting, known, keys].find((some) => some.length > 0) ?? keys;
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
