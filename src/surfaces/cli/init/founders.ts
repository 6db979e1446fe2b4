// From what was typed to the person and the computer that `lazarus init` is about, and the items that make their keys.
import { chooseMachine, choosePerson } from '../../../app/init/founders.ts';
import { identityToMake, type Identity, type KeyMaking } from '../../../app/init/identity.ts';
import type { Item } from '../../../app/init/items.ts';
import type { App } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import type { Roster } from '../../../kernel/roster/roster.ts';
import { Slug } from '../../../kernel/values.ts';
import type { Protection, StoredKey } from '../../../ports/keys.ts';
import { answerTo } from '../ask.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';

export type Founding = { readonly person: Identity; readonly keyItems: readonly Item[] };

/** The person alone. */
export async function personOf(
  ctx: Context,
  app: App,
  options: Values,
  roster: Roster | undefined,
): Promise<Founding & { readonly making: Omit<KeyMaking, 'protection'>; readonly keys: readonly StoredKey[] }> {
  const { store } = await app.keys();
  const keys = await store.list();
  const name = options.text('name');
  const key = options.text('key') ?? (name === undefined ? ctx.env['LAZARUS_KEY'] : undefined);
  const known = choosePerson(keys, { name, key }, roster);
  const chosen = known ?? { principal: await askName(ctx), stored: undefined };
  refuseName(chosen.principal);
  const prompt = `Passphrase of ${chosen.principal}`;
  const making = {
    store,
    nowSeconds: () => app.clock.nowSeconds(),
    ask: () => app.passphrase({ fd: options.whole('passphraseFd'), prompt }),
  };
  const { identity, item } = identityToMake(
    chosen,
    { ...making, isReader: true, protection: () => protectionOf(app, options, chosen.principal) },
    { name: 'person_key', title: 'your key' },
  );
  return { person: identity, keyItems: [item], making, keys };
}

/** The person and the computer they sit at. */
export async function foundersOf(
  ctx: Context,
  app: App,
  options: Values,
  roster: Roster | undefined,
): Promise<Founding & { readonly machine: Identity }> {
  const { person, keyItems, making, keys } = await personOf(ctx, app, options, roster);
  const machine = chooseMachine(keys, options.text('machine'), person.principal, roster);
  refuseName(machine.principal);
  if (machine.principal === person.principal)
    throw new Failure('usage', { option: 'machine', expected: 'another name than the person’s' });
  const { identity, item } = identityToMake(
    machine,
    { ...making, protection: () => Promise.resolve({ unprotected: true }) },
    { name: 'machine_key', title: 'key of this computer' },
  );
  return { person, machine: identity, keyItems: [...keyItems, item] };
}

async function protectionOf(app: App, options: Values, principal: string): Promise<Protection> {
  if (options.flag('unprotected')) return { unprotected: true };
  const fd = options.whole('passphraseFd');
  return { passphrase: await app.passphrase({ fd, prompt: `New passphrase for ${principal}`, isNew: true }) };
}

async function askName(ctx: Context): Promise<string> {
  if (!ctx.input.interactive)
    throw new Failure('usage', { missing: 'name', expected: '--name <you>, or --key <one of your keys>' });
  return answerTo(ctx, 'Your name in ledgers, such as ana (it stays there, so no e-mail address): ');
}

function refuseName(principal: string): void {
  if (!Slug.safeParse(principal).success)
    throw new Failure('usage', { principal, expected: 'a-z, 0-9, dot, dash or underscore' });
}
