// `lazarus keys register <name>`: lets a forge know one of your public keys, without which it refuses what the key signs.
import { registerKey } from '../../../app/init/forge/public-keys.ts';
import { compose } from '../../../compose/app.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const { forge, app } = await compose(ctx).forge(options.need('forge'));
  await forge.probe();
  const account = await forge.whoami();
  const signer = await app.signer({ key: args.need('name'), passphraseFd: options.whole('passphraseFd') });
  const is = await registerKey(forge, signer, app.clock.nowSeconds());
  ctx.out.emit(`${signer.fingerprint} ${is === 'registered' ? 'is now' : 'was'} registered with ${account.login}`, {
    fingerprint: signer.fingerprint,
    forge: forge.displayUrl,
    account,
    is,
  });
}
