// The options that say what a member of the roster is and may do. Checked by the kernel's own schema.
import { Failure } from '../../failure.ts';
import { Member } from '../../kernel/roster/roster.ts';
import type { MemberFacts } from '../../app/threshold/roster-change.ts';
import type { Values } from './values.ts';

const Facts = Member.omit({ encrypt_to: true, keys: true, principal_id: true }).partial();

/** Only what was typed; `none` empties what may be empty. */
export function memberFacts(options: Values): Partial<MemberFacts> {
  const typed = {
    forge_user_id: orNone(options.text('forgeUserId'), () => options.whole('forgeUserId')),
    layer: options.text('layer'),
    person_id: orNone(options.text('person'), () => options.text('person')),
    principal_type: options.text('type'),
    roles: options.text('roles')?.split(','),
  };
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
  const parsed = Facts.safeParse(given);
  if (parsed.success) return parsed.data as Partial<MemberFacts>;
  const issue = parsed.error.issues[0];
  throw new Failure('usage', { option: issue?.path.join('.') ?? '', problem: issue?.message ?? '' });
}

function orNone<T>(text: string | undefined, value: () => T): T | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : value();
}
