// Which key a job of a forge signs with: gate and writer get theirs as a secret of the job, a runner has its own in a file,
// and each must be on the roster in that role. Knows no file and no format of keys.
import { Failure } from '../../failure.ts';
import type { Role } from '../../kernel/principal.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import type { KeyStore, Signer } from '../../ports/keys.ts';

export type JobRole = 'gate' | 'cell' | 'writer';

type KeySources = {
  readonly roster: Roster;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: () => Promise<KeyStore>;
  readonly fromText: (
    armored: string,
    how: { readonly nameOf: (fingerprint: string) => string; readonly passphrase: () => Promise<string> },
  ) => Promise<Signer>;
};

/** Secrets of the job, and nobody else's. */
export const KEY_VARIABLES = {
  gate: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE'],
  writer: ['LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE'],
} as const;
const ROLES: Readonly<Record<JobRole, Role>> = { gate: 'gate', cell: 'runner', writer: 'writer' };

export async function keyOfJob(role: JobRole, { roster, env, store, fromText }: KeySources): Promise<Signer> {
  const wanted = ROLES[role];
  const members = roster.members.filter(({ roles }) => roles.includes(wanted));
  const nameOf = (fingerprint: string): string => {
    const member = members.find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint));
    if (member === undefined) throw new Failure('signer_unknown', { fingerprint, role: wanted });
    return member.principal_id;
  };
  if (role !== 'cell') {
    const [key, passphrase] = KEY_VARIABLES[role];
    const armored = env[key];
    if (armored === undefined || armored === '') throw new Failure('key_not_found', { variable: key });
    return fromText(armored, { nameOf, passphrase: () => Promise.resolve(env[passphrase] ?? '') });
  }
  // The runner's own: a file of its user, made there and enrolled by the roots.
  const keys = await store();
  const listed = members.flatMap((member) => member.keys);
  const found = (await keys.list()).flatMap((key) => listed.find((one) => one.fingerprint === key.fingerprint) ?? []);
  // After a rotation the old one mostly still lies beside it.
  const own = found.find(({ until }) => until === null) ?? found[0];
  if (own === undefined) throw new Failure('key_not_found', { role: wanted });
  return keys.open(own.fingerprint, () => Promise.reject(new Failure('passphrase_needed', {})));
}
