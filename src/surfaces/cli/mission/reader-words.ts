// For whom something is kept, in words: by the names of people whom the roster still has, and by fingerprint otherwise.
import type { Printed } from '../../../app/printed/document.ts';
import type { Roster } from '../../../kernel/roster/roster.ts';

/** By the fingerprint of the key to encrypt to. */
export function readerNames({ members }: Roster): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap(({ principal_id, encrypt_to }) =>
      encrypt_to === undefined ? [] : [[encrypt_to.fingerprint, principal_id] as const],
    ),
  );
}

export function readerWords(
  { encrypted_to: readers }: Pick<Printed, 'encrypted_to'>,
  names: ReadonlyMap<string, string>,
): string {
  return readers.length === 0
    ? 'for nobody: only its digest is kept'
    : `for ${readers.map((one) => names.get(one) ?? one).join(', ')}`;
}
