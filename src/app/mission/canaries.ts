// What this process knows and no cell may ever say: the one place that decides it, for a job of a forge and for a person's
// computer alike. Goes by names of variables, and reads no environment of its own; a passphrase that somebody types is kept
// nowhere where it could be looked for.
import { KEY_VARIABLES } from '../gate/job-key.ts';

export function canariesIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return [...new Set(Object.entries(env).flatMap(([name, value = '']) => (isCanary(name, value) ? [value] : [])))];
}

function isCanary(name: string, value: string): boolean {
  if (OURS.has(name)) return value !== '';
  return !NO_SECRET.has(name) && SECRET_NAME.test(name) && value.length >= CHARACTERS_MIN;
}

/** Where a forge's schedule tells people what waits: whoever knows the address can write there. */
export const WEBHOOK_VARIABLE = 'LAZARUS_WEBHOOK';

/** Ours are secrets however short they are. */
const OURS: ReadonlySet<string> = new Set([
  'LAZARUS_TOKEN',
  'LAZARUS_PASSPHRASE',
  WEBHOOK_VARIABLE,
  ...Object.values(KEY_VARIABLES).flat(),
]);
/** Named like secrets, and public: an address and a name that honest work may hold. */
const NO_SECRET: ReadonlySet<string> = new Set(['LAZARUS_TOKEN_ORIGIN', 'LAZARUS_KEY']);
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW|PASSPHRASE/i;
/** Shorter values stand in honest work by chance. */
const CHARACTERS_MIN = 8;
