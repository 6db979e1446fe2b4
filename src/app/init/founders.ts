// Which of the keys on this computer are meant: the person's who sets up, and the computer's own. Asks nobody.
import type { Roster } from '../../kernel/roster/roster.ts';
import type { StoredKey } from '../../ports/keys.ts';
import { principalOf } from '../begin.ts';
import { chooseKey } from '../choose-key.ts';
import { unwrap } from '../unwrap.ts';

/** `stored` undefined: the key is still to be made. */
export type Chosen = { readonly principal: string; readonly stored: StoredKey | undefined };

export type Named = {
  /** The name of a principal, whose key may not exist yet. */
  readonly name?: string | undefined;
  /** A key that must exist: principal or fingerprint. */
  readonly key?: string | undefined;
};

/** Undefined: there is no key that could be meant, so that a name is needed. */
export function choosePerson(keys: readonly StoredKey[], told: Named, roster: Roster | undefined): Chosen | undefined {
  if (told.name !== undefined) return { principal: told.name, stored: keyOf(keys, told.name, roster) };
  if (told.key !== undefined) return chosen(chooseKey(keys, told.key, roster));
  const persons = keys.filter((key) => !isMachines(key));
  return persons.length === 0 ? undefined : chosen(chooseKey(persons, undefined, roster));
}

/** The one named; or the one that the roster knows already; or one named after the person, never after the computer. */
export function chooseMachine(
  keys: readonly StoredKey[],
  name: string | undefined,
  person: string,
  roster: Roster | undefined,
): Chosen {
  const enrolled = roster?.members.find(
    (member) =>
      member.principal_type === 'runner' &&
      member.keys.some(({ fingerprint }) => keys.some((key) => key.fingerprint === fingerprint)),
  );
  const principal = name ?? enrolled?.principal_id ?? person + MACHINE_ENDING;
  return { principal, stored: keyOf(keys, principal, roster) };
}

// A host's name would stay in the ledger for ever and tell strangers about somebody's network.
const MACHINE_ENDING = '-machine';

function isMachines({ custody, userId }: StoredKey): boolean {
  const named = principalOf(userId);
  return custody === 'unprotected' && named.is === 'accepted' && named.value.endsWith(MACHINE_ENDING);
}

function chosen(stored: StoredKey): Chosen {
  return { principal: unwrap(principalOf(stored.userId)), stored };
}

/** Of several keys for one principal, the one that the roster lists; else the first. */
function keyOf(keys: readonly StoredKey[], principal: string, roster: Roster | undefined): StoredKey | undefined {
  const listed = new Set(roster?.members.flatMap((member) => member.keys.map(({ fingerprint }) => fingerprint)));
  const theirs = keys.filter(({ userId }) => userId.startsWith(`${principal} <`));
  return theirs.find(({ fingerprint }) => listed.has(fingerprint)) ?? theirs[0];
}
