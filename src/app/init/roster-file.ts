// The roster as a file for people to read on the forge. Only a copy: who counts is what the project ledger says, and
// nothing reads this file back.
import type { Member, Roster } from '../../kernel/roster/roster.ts';

/** Names are quoted, because one may look like a number; none of their characters needs escaping. */
export function rosterFile(roster: Roster): string {
  return [
    '# Who counts in this project. A copy for reading: lazarus roster show tells what is in force, and',
    '# lazarus roster add, set and remove change it. Editing this file changes nothing.',
    `roster: ${roster.n}`,
    `threshold: ${roster.threshold}`,
    'members:',
    ...roster.members.flatMap(memberLines),
    '',
  ].join('\n');
}

function memberLines(member: Member): string[] {
  const { principal_id, principal_type, person_id, layer, roles, forge_user_id, keys } = member;
  return [
    `  - principal: "${principal_id}"`,
    `    type: ${principal_type}`,
    `    person: ${person_id === null ? 'null' : `"${person_id}"`}`,
    `    layer: ${layer}`,
    `    roles: [${roles.join(', ')}]`,
    `    forge_user_id: ${forge_user_id ?? 'null'}`,
    `    keys: [${keys
      .filter(({ until }) => until === null)
      .map((key) => `"${key.fingerprint}"`)
      .join(', ')}]`,
  ];
}
