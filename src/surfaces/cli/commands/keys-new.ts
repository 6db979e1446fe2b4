// `lazarus keys new <principal>`: makes a person’s signing key and one to encrypt to, under one passphrase, which comes from a
// prompt, a descriptor or the environment.
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import { Slug } from '../../../kernel/values.ts';
import type { Protection } from '../../../ports/keys.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const app = compose(ctx);
  const principal = args.need('principal');
  if (!Slug.safeParse(principal).success)
    throw new Failure('usage', {
      principal,
      expected: 'a-z, 0-9, dot, dash or underscore; it goes into signatures, so no e-mail address',
    });
  const { store, path } = await app.keys();
  const protection: Protection = options.flag('unprotected')
    ? { unprotected: true }
    : {
        passphrase: await app.passphrase({
          fd: options.whole('passphraseFd'),
          prompt: `New passphrase for ${principal}`,
          isNew: true,
        }),
      };
  const now = app.clock.nowSeconds();
  const key = await store.generate(principal, now, protection);
  // What cells print is for people who have one: whoever joins later would otherwise read none of it.
  const ask = (): Promise<string> => Promise.resolve('passphrase' in protection ? protection.passphrase : '');
  const reader = await store.encryptTo(key.fingerprint, now, ask);
  ctx.out.emit(
    [
      `${key.fingerprint}  ${key.userId}`,
      `${reader.fingerprint}  to encrypt to`,
      `  kept in  ${path} (${key.custody})`,
    ],
    {
      fingerprint: key.fingerprint,
      encrypt_to: reader.fingerprint,
      user_id: key.userId,
      custody: key.custody,
      path,
    },
  );
}
