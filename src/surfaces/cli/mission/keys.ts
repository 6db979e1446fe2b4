// Who acts: a person with the key they name or the only one they have here, or this computer with its own. Nobody is
// guessed among several persons.
import { MACHINE_ROLES, machineKeys } from '../../../app/choose-key.ts';
import { Failure } from '../../../failure.ts';
import type { Signer } from '../../../ports/keys.ts';
import type { Site } from './site.ts';

export async function personHere({ app, options, project }: Site): Promise<Signer> {
  const key = options.text('as') ?? options.text('key');
  try {
    return await app.signer({ key, passphraseFd: options.whole('passphraseFd'), roster: project.roster });
  } catch (error) {
    throw askedWho(error);
  }
}

/** Of several people with a key here, whoever types says which. */
export function askedWho(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'key_ambiguous') return error;
  return new Failure(error.code, error.facts, { cause: error, next: 'the same command with --as <principal>' });
}

/** The key that plans, runs and writes here: a machine's if there is one, else that of a person who may do all of it. */
export async function machineHere({ app, options, project }: Site): Promise<Signer> {
  const { store } = await app.keys();
  const [first] = machineKeys(project.roster, await store.list());
  if (first === undefined)
    throw new Failure('key_not_found', { wanted: MACHINE_ROLES.join(', ') }, { next: 'lazarus init' });
  return app.signer({ key: first.fingerprint, passphraseFd: options.whole('passphraseFd'), roster: project.roster });
}
