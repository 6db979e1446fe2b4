// What the commands that touch ledgers share: a workbench that is closed again whatever happens, and the key to sign with.
import type { App } from '../../compose/app.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import type { Signer, StoredKey } from '../../ports/keys.ts';
import type { Opening } from '../../app/printed/open.ts';
import type { Workbench } from '../../app/workbench.ts';
import type { Context } from './command.ts';
import type { Values } from './values.ts';

export { unwrap } from '../../app/unwrap.ts';

export type Workspace = { readonly app: App; readonly bench: Workbench };

export async function withWorkbench<T>(
  ctx: Context,
  options: Values,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const { compose } = await import('../../compose/app.ts');
  const app = compose(ctx);
  const bench = await app.workbench(remoteOf(options));
  try {
    return await use({ app, bench });
  } finally {
    await bench.close();
  }
}

export function signerOf(app: App, options: Values, roster?: Roster): Promise<Signer & { readonly stored: StoredKey }> {
  return app.signer({ key: options.text('key'), passphraseFd: options.whole('passphraseFd'), roster });
}

/** The keys of this person, for what is encrypted to them. A passphrase is asked for once, and only where one is needed. */
export function openingOf(app: App, options: Values): Opening {
  let asked: Promise<string> | undefined;
  return {
    crypto: app.crypto,
    keys: { decrypt: async (...given) => (await app.keys()).store.decrypt(...given) },
    ask: () =>
      (asked ??= app.passphrase({ fd: options.whole('passphraseFd'), prompt: 'Passphrase of your key to encrypt to' })),
  };
}

function remoteOf(options: Values): { readonly name: string } | { readonly url: string } | undefined {
  const named = options.text('remote');
  if (named === undefined) return undefined;
  return /[/:]/.test(named) ? { url: named } : { name: named };
}
