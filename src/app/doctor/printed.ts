// For whom what cells print is kept here, by the policy as it stands and the roster in force. That nobody could read it is
// worth a word before something was printed, and stops no mission.
import { peopleWhoRead } from '../../kernel/roster/people.ts';
import { isPerson } from '../../kernel/roster/roster.ts';
import { ok, warn, type Finding } from './finding.ts';
import type { Here } from './here.ts';
import { word } from './typed.ts';

const PRINTED = { item: 'printed', title: 'what cells print' };

export async function lookAtPrinted({ profile, project, stored, told }: Here): Promise<readonly Finding[]> {
  const [policy, state] = await Promise.all([profile(), project().catch(() => undefined)]);
  if (policy === undefined || state === undefined) return [];
  if (policy.output.keep === 'digest') return [ok(PRINTED, 'only its digest is kept, as policy says')];
  const readers = peopleWhoRead(state).map(({ principal }) => principal);
  if (readers.length > 0) return [ok(PRINTED, `kept for ${readers.join(', ')}`)];
  // Nobody’s key lies on a runner.
  const keys = told.isJob ? [] : await stored().catch(() => []);
  const mine = state.roster.members
    .filter(isPerson)
    .find((member) => member.keys.some(({ fingerprint }) => keys.some((key) => key.fingerprint === fingerprint)));
  const name = mine === undefined ? '<you>' : word(mine.principal_id);
  return [warn(PRINTED, 'only its digest is kept: nobody on the roster has a key to encrypt to', lineFor(name))];
}

function lineFor(name: string): string {
  return `lazarus keys encrypt-to ${name} && lazarus keys export ${name} -o ${name}.asc && lazarus roster set ${name} --encrypt-to ${name}.asc`;
}
