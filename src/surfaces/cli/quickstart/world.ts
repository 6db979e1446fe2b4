// The people and places of the quickstart: a scratch folder, keys that live and die with it, and one App per repository.
import type { App } from '../../../compose/app.ts';
import { compose } from '../../../compose/app.ts';
import type { Scratch } from '../../../ports/scratch.ts';
import type { Signer } from '../../../ports/keys.ts';
import type { Workbench } from '../../../app/workbench.ts';
import type { Context } from '../command.ts';

export type Stage = {
  readonly app: App;
  readonly scratch: Scratch;
  /** Makes a key without a passphrase: it protects nothing but this demonstration. */
  newKey(principal: string): Promise<Signer>;
  readonly ctx: Context;
  /** What is kept on this machine beside the repositories is kept in the scratch folder as well. */
  readonly env: Context['env'];
  /** Works in one of the scratch repositories, through a remote if one is named. */
  inside<T>(repository: string, use: (bench: Workbench, app: App) => Promise<T>, remote?: string): Promise<T>;
};

export async function setStage(ctx: Context, folder: string | undefined): Promise<Stage> {
  const scratch = await compose(ctx).scratch(folder);
  const env = { ...ctx.env, XDG_CONFIG_HOME: scratch.at('config'), XDG_STATE_HOME: scratch.at('state') };
  const appAt = (cwd: string): App => compose({ ...ctx, cwd, env });
  const app = appAt(scratch.path);
  return {
    app,
    scratch,
    ctx,
    env,
    async newKey(principal) {
      const { store } = await app.keys();
      const key = await store.generate(principal, app.clock.nowSeconds(), { unprotected: true });
      return app.signer({ key: key.fingerprint });
    },
    async inside(repository, use, remote) {
      const app = appAt(scratch.at(repository));
      const bench = await app.workbench(remote === undefined ? undefined : { url: scratch.at(remote) });
      try {
        return await use(bench, app);
      } finally {
        await bench.close();
      }
    },
  };
}
