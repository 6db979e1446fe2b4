// The keys that people and this computer sign with: there, on the roster, in which roles, and what opens them. Opens one only
// where its passphrase was given to this process anyway, and signs nothing.
import { Failure } from '../../failure.ts';
import type { Role } from '../../kernel/principal.ts';
import { isBarred } from '../../kernel/roster/barred.ts';
import type { Member } from '../../kernel/roster/roster.ts';
import type { ProjectState } from '../../kernel/state.ts';
import type { StoredKey } from '../../ports/keys.ts';
import { MACHINE_ROLES, machineKeys } from '../choose-key.ts';
import { KEY_VARIABLES } from '../gate/job-key.ts';
import { missing, missingFor, ok, warn, type Finding } from './finding.ts';
import { isSupervised, type Here } from './here.ts';
import { word } from './typed.ts';

const PERSON = { item: 'person_key', title: 'your key' };
const MACHINE = { item: 'machine_key', title: 'key of this computer' };

export async function lookAtPersonKey(here: Here): Promise<readonly Finding[]> {
  // Nobody sits at a runner.
  if (here.told.isJob) return [];
  const [stored, state] = await Promise.all([here.stored(), here.project().catch(() => undefined)]);
  if (stored.length === 0)
    return [
      missing(PERSON, 'no key here', state === undefined ? 'lazarus init --name <you>' : 'lazarus keys new <you>'),
    ];
  if (state === undefined) return [ok(PERSON, `${stored.map(shown).join(', ')}; no roster to look for it on`)];
  const mine = state.roster.members
    .filter(({ principal_type }) => principal_type === 'user')
    .flatMap((member) => lasting(state, member, stored).map((key) => ({ key, member })));
  const [first, second] = mine;
  if (first === undefined) {
    const old = endedOf(state, stored);
    return [old === undefined ? notListed(stored) : ended(old)];
  }
  if (second !== undefined)
    return [ok(PERSON, `of ${mine.map(({ member }) => member.principal_id).join(', ')}: say which with --as <name>`)];
  return [await openable(here, first)];
}

export async function lookAtMachineKey(here: Here): Promise<readonly Finding[]> {
  const [stored, state] = await Promise.all([here.stored(), here.project().catch(() => undefined)]);
  if (state === undefined) return [];
  if (await isSupervised(here)) return [ok(MACHINE, 'the supervisor’s to have')];
  if (here.told.isJob) return [keyOfJob(here, state, stored)];
  const [key] = machineKeys(state.roster, stored);
  if (key === undefined)
    return [missing(MACHINE, `none here that may be ${MACHINE_ROLES.join(', ')}: nothing is planned or run`, INIT)];
  return isBarred(state)(key.fingerprint)
    ? [missing(MACHINE, `${shown(key)} is cut off`, 'lazarus init --machine <another name>')]
    : [ok(MACHINE, `${shown(key)}: ${MACHINE_ROLES.join(', ')}`)];
}

const INIT = 'lazarus init';

/** The runner’s own lies in a file; those of gate and writer come as variables of their jobs. */
function keyOfJob({ told }: Here, state: ProjectState, stored: readonly StoredKey[]): Finding {
  const runners = state.roster.members.filter(({ roles }) => roles.includes(RUNNER));
  const [key] = runners.flatMap((member) => lasting(state, member, stored));
  if (key !== undefined) return ok(MACHINE, `${shown(key)}: ${RUNNER}`);
  const given = [KEY_VARIABLES.gate[0], KEY_VARIABLES.writer[0]].filter((name) => told.variables.has(name));
  return given.length > 0
    ? ok(MACHINE, `this job is given ${given.join(', ')}`)
    : missing(MACHINE, 'none here that is on the roster as a runner’s', 'lazarus keys runner <name of the machine>');
}

const RUNNER: Role = 'runner';

function notListed([key]: readonly StoredKey[]): Finding {
  const name = word(nameOf(key!));
  const next = `lazarus keys export ${name} -o ${name}.asc; a root then types: lazarus roster add ${name}.asc --type user --roles person`;
  return missing(PERSON, `${shown(key!)} is not on the roster`, next);
}

/** A person's key that the roster knows, and that signs nothing more. */
function endedOf({ roster }: ProjectState, stored: readonly StoredKey[]): StoredKey | undefined {
  const listed = roster.members
    .filter(({ principal_type }) => principal_type === 'user')
    .flatMap(({ keys }) => keys.map(({ fingerprint }) => fingerprint));
  return stored.find(({ fingerprint }) => listed.includes(fingerprint));
}

function ended(key: StoredKey): Finding {
  const next = `lazarus keys import <file of the newer key>; who has none: lazarus keys new ${word(nameOf(key))}, and a root then types: lazarus roster rotate <its public half>`;
  return missing(PERSON, `${shown(key)} is ended by the roster, and no newer one of yours is here`, next);
}

async function openable(
  { told, keys }: Here,
  { key, member }: { readonly key: StoredKey; readonly member: Member },
): Promise<Finding> {
  const says = `${shown(key)}: ${member.roles.join(', ')}`;
  if (key.custody !== 'passphrase')
    return ok(PERSON, `${says}; ${key.custody === 'gpg_agent' ? 'in gpg-agent' : 'without a passphrase'}`);
  if (told.passphrase === undefined)
    return told.isInteractive
      ? ok(PERSON, `${says}; asks for its passphrase`)
      : warn(
          PERSON,
          `${says}; nobody can be asked for its passphrase`,
          'read -rs LAZARUS_PASSPHRASE; export LAZARUS_PASSPHRASE',
        );
  try {
    await (await keys()).open(key.fingerprint, () => Promise.resolve(told.passphrase!));
    return ok(PERSON, `${says}; LAZARUS_PASSPHRASE opens it`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return missingFor(PERSON, error, PASSPHRASE_AGAIN[error.code]);
  }
}

const PASSPHRASE_AGAIN: Readonly<Record<string, string>> = {
  passphrase_wrong: 'read -rs LAZARUS_PASSPHRASE; export LAZARUS_PASSPHRASE',
};

function lasting(state: ProjectState, { keys }: Member, stored: readonly StoredKey[]): readonly StoredKey[] {
  const barred = isBarred(state);
  const good = new Set(
    keys.flatMap(({ fingerprint, until }) => (until === null && !barred(fingerprint) ? fingerprint : [])),
  );
  return stored.filter(({ fingerprint }) => good.has(fingerprint));
}

function nameOf({ userId }: StoredKey): string {
  return userId.split(' ')[0]!;
}

function shown(key: StoredKey): string {
  return `${key.fingerprint.slice(0, 16)} of ${nameOf(key)}`;
}
