// Builds what carries messages out of lazarus: to the address that a job was given, or to a program that a person named.
import { canariesIn, WEBHOOK_VARIABLE } from '../app/mission/canaries.ts';
import type { Messenger, ToldBefore } from '../ports/messenger.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined where nobody gave an address. */
export async function messengerOfJob(env: Env): Promise<Messenger | undefined> {
  const address = env[WEBHOOK_VARIABLE] ?? '';
  if (address === '') return undefined;
  const { webhook } = await import('../adapters/messengers/webhook.ts');
  return webhook(address);
}

export type ByProgram = {
  readonly messenger: Messenger;
  readonly before: ToldBefore;
  /** Takes out what this computer knows and nobody is to be told: the environment's secrets, and those of the vault. */
  readonly redacted: (text: string) => string;
};

type Person = {
  /** Null: whoever is told everything. */
  readonly person: string | null;
  readonly stateDir: string;
  readonly env: Env;
  readonly cwd: string;
  readonly signal: AbortSignal;
};

export async function messengerOfPerson(argv: readonly string[], asked: Person): Promise<ByProgram> {
  const { person, stateDir, env, cwd, signal } = asked;
  const [{ programMessenger }, { toldFile }, { redactText }, { openVault }] = await Promise.all([
    import('../adapters/messengers/program.ts'),
    import('../adapters/state/told-file.ts'),
    import('../adapters/system/redact.ts'),
    import('./secrets.ts'),
  ]);
  const { vault } = await openVault(env);
  // What cannot be read cannot be looked for: then nothing is told.
  const kept = await Promise.all((await vault.list()).map(({ name }) => vault.read(name)));
  const secrets = [...canariesIn(env), ...kept];
  return {
    messenger: programMessenger({ argv, cwd, env, secrets, signal }),
    before: toldFile(stateDir, person),
    redacted: (text) => redactText(text, secrets),
  };
}
