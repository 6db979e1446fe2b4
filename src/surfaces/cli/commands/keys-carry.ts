// `lazarus keys export|import|import-gpg|encrypt-to|remove|runner`: keys in and out of this machine's store. A private key leaves it
// only as it is kept: under its passphrase, where it has one.
import { chooseKey } from '../../../app/choose-key.ts';
import { principalIn } from '../../../app/threshold/key-text.ts';
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import { base64 } from '../../../format/bytes.ts';
import { Slug } from '../../../kernel/values.ts';
import type { Protection, StoredKey } from '../../../ports/keys.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import { readNamed, writeNew } from '../files.ts';
import type { Values } from '../values.ts';

const PRIVATE_MODE = 0o600;
const PUBLIC_MODE = 0o644;

export const exportKey = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const { store } = await compose(ctx).keys();
    const { fingerprint, custody } = chooseKey(await store.list(), args.need('name'), undefined);
    const isPrivate = options.flag('private');
    const armored = isPrivate ? await store.exportPrivate(fingerprint) : await store.exportPublic(fingerprint);
    if (isPrivate && custody === 'unprotected')
      ctx.out.warn('this private key has no passphrase: whoever reads it can sign as its owner');
    const out = options.text('out');
    if (out === undefined)
      return ctx.out.emit(armored.trimEnd().split('\n'), { fingerprint, private: isPrivate, armored });
    await writeNew(ctx, out, armored, isPrivate ? PRIVATE_MODE : PUBLIC_MODE);
    ctx.out.emit(`${fingerprint} written to ${out}`, { fingerprint, private: isPrivate, file: out });
  },
};

export const importKey = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const app = compose(ctx);
    const { store } = await app.keys();
    const armored = await readNamed(ctx, args.text('file') ?? '-');
    const principal = principalFor(options.text('principal') ?? principalIn(armored));
    // One passphrase for both: the key stays under the one it came with.
    let answer: Promise<string> | undefined;
    const ask = (): Promise<string> =>
      (answer ??= app.passphrase({
        fd: options.whole('passphraseFd'),
        prompt: `Passphrase of the key of ${principal}`,
      }));
    const protection: Protection = options.flag('unprotected') ? { unprotected: true } : { passphrase: await ask() };
    emitKey(ctx, await store.importPrivate(armored, principal, ask, protection), 'imported');
  },
};

export const importGpg = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const { store } = await compose(ctx).keys();
    const principal = principalFor(options.text('principal'));
    const fingerprint = args.need('fingerprint').replaceAll(' ', '').toUpperCase();
    emitKey(ctx, await store.adoptFromGpg(fingerprint, principal), 'taken from gpg');
  },
};

export const encryptTo = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const app = compose(ctx);
    const { store, path } = await app.keys();
    const { fingerprint, userId } = chooseKey(await store.list(), args.need('name'), undefined);
    const ask = (): Promise<string> =>
      app.passphrase({ fd: options.whole('passphraseFd'), prompt: `Passphrase of ${userId}` });
    const key = await store.encryptTo(fingerprint, app.clock.nowSeconds(), ask);
    ctx.out.emit(
      [
        `${key.fingerprint}  to encrypt to, bound by ${fingerprint}`,
        `  kept in  ${path}`,
        'keys export prints it with the signing key; roster add, rotate and set --encrypt-to take it from there.',
      ],
      { fingerprint: key.fingerprint, bound_by: fingerprint, public_key: base64(key.bytes), path },
    );
  },
};

export const remove = {
  async run(ctx: Context, args: Values): Promise<void> {
    const { store, path } = await compose(ctx).keys();
    const { fingerprint, userId, custody } = chooseKey(await store.list(), args.need('name'), undefined);
    const loss =
      custody === 'gpg_agent' ? 'the private half stays in gpg' : 'without a copy elsewhere it is gone for ever';
    await agree(ctx, [`${fingerprint}  ${userId}`, `  in ${path}; ${loss}`], 'Remove this key?');
    await store.remove(fingerprint);
    ctx.out.emit(`removed ${fingerprint}`, { fingerprint });
  },
};

export const runner = {
  async run(ctx: Context, args: Values): Promise<void> {
    const app = compose(ctx);
    const { store, path } = await app.keys();
    const principal = principalFor(args.need('name'));
    const key = await store.generate(principal, app.clock.nowSeconds(), { unprotected: true });
    const line = `lazarus roster add ${base64(key.publicKey)} --type runner --roles runner`;
    ctx.out.emit(
      [
        `${key.fingerprint}  ${key.userId}`,
        `  kept in  ${path} (${key.custody})`,
        'Where a root of the project works, type:',
        line,
      ],
      { fingerprint: key.fingerprint, user_id: key.userId, custody: key.custody, path, enrol: line },
    );
  },
};

function principalFor(named: string | undefined): string {
  if (named === undefined) throw new Failure('usage', { missing: 'principal' });
  if (Slug.safeParse(named).success) return named;
  throw new Failure('usage', { principal: named, expected: 'a-z, 0-9, dot, dash or underscore' });
}

function emitKey(ctx: Context, { fingerprint, userId, custody }: StoredKey, how: string): void {
  ctx.out.emit(`${how}: ${fingerprint}  ${userId} (${custody})`, { fingerprint, user_id: userId, custody });
}
