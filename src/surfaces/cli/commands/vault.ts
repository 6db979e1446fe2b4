// `lazarus vault set|refs|rotate|remove`: the keys of providers that routes add. Takes values in and prints none.
import { POLICY_PATH } from '../../../app/init/policy-files.ts';
import { compose, type App } from '../../../compose/app.ts';
import { readPolicyFile } from '../../../documents/policy-file.ts';
import { Failure } from '../../../failure.ts';
import { checkSecret } from '../../../kernel/policy/secret.ts';
import { SecretReference } from '../../../kernel/policy/route.ts';
import type { Reader } from '../../../kernel/roster/people.ts';
import { certificateOf } from '../../../kernel/roster/readers.ts';
import type { VaultEntry } from '../../../ports/secrets.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import { aligned } from '../output.ts';
import type { Values } from '../values.ts';
import { unwrap, withWorkbench } from '../workspace.ts';

const DAY_SECONDS = 24 * 60 * 60;

export const set = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const app = compose(ctx);
    const name = nameIn(args);
    const { vault } = await app.vault();
    if ((await vault.list()).some((one) => one.name === name)) throw new Failure('secret_exists', { key: refOf(name) });
    await keep(ctx, { app, name, options, readers: await readersFor(ctx, options) });
  },
};

export const rotate = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const app = compose(ctx);
    const name = nameIn(args);
    const { vault } = await app.vault();
    const before = (await vault.list()).find((one) => one.name === name);
    if (before === undefined) throw new Failure('secret_missing', { key: refOf(name) });
    const named = await readersFor(ctx, options);
    await keep(ctx, { app, name, options, readers: named.length > 0 ? named : before.readers });
    ctx.out.note('take the old key back with the provider: copies of it may lie in backups');
  },
};

export const refs = {
  async run(ctx: Context): Promise<void> {
    const app = compose(ctx);
    const { vault, folder } = await app.vault();
    const entries = await vault.list();
    const used = await routesByReference(app);
    const absent = [...used.keys()].filter(
      (reference) => reference.startsWith('vault:') && !entries.some(({ name }) => refOf(name) === reference),
    );
    const now = app.clock.nowSeconds();
    const rows = entries.map((entry) => [
      entry.name,
      whoReads(entry),
      ageOf(entry, now),
      usedBy(used.get(refOf(entry.name))),
    ]);
    const lines = [
      ...(rows.length === 0 ? [`no keys in ${folder}`] : aligned(rows)),
      ...absent.map(
        (reference) =>
          `${reference} is not there, ${usedBy(used.get(reference))}: lazarus vault set ${nameOf(reference)}`,
      ),
    ];
    ctx.out.emit(lines, {
      folder,
      keys: entries.map((entry) => ({
        name: entry.name,
        set_at_seconds: entry.setAtSeconds,
        readers: entry.readers.map(({ principal, fingerprint }) => ({ principal, fingerprint })),
        routes: used.get(refOf(entry.name)) ?? [],
      })),
      missing: absent,
    });
  },
};

export const remove = {
  async run(ctx: Context, args: Values): Promise<void> {
    const app = compose(ctx);
    const name = nameIn(args);
    const { vault } = await app.vault();
    const routes = (await routesByReference(app)).get(refOf(name));
    await agree(
      ctx,
      [`${refOf(name)}  ${usedBy(routes)}`, '  the provider takes it until it is taken back there'],
      'Remove this key?',
    );
    await vault.remove(name);
    ctx.out.emit(`removed ${refOf(name)}`, { key: refOf(name), routes: routes ?? [] });
  },
};

type Keeping = {
  readonly app: App;
  readonly name: string;
  readonly options: Values;
  readonly readers: readonly Reader[];
};

async function keep(ctx: Context, { app, name, options, readers }: Keeping): Promise<void> {
  const isPiped = options.flag('fromStdin');
  const typed = await app.secretValue({ isPiped, prompt: `API key for ${refOf(name)}` });
  const value = unwrap(checkSecret(typed, refOf(name)));
  const { vault, folder } = await app.vault();
  const entry: VaultEntry = { name, setAtSeconds: app.clock.nowSeconds(), readers };
  await vault.put(entry, value);
  ctx.out.emit([`${refOf(name)}  for ${whoReads(entry)}`, `  kept in  ${folder}`], {
    key: refOf(name),
    readers: readers.map(({ principal, fingerprint }) => ({ principal, fingerprint })),
    folder,
  });
}

function nameIn(args: Values): string {
  const name = args.need('name').replace(/^vault:/, '');
  if (!SecretReference.safeParse(refOf(name)).success)
    throw new Failure('usage', { expected: 'a name of a-z, 0-9, dot, dash or underscore' });
  return name;
}

async function readersFor(ctx: Context, options: Values): Promise<readonly Reader[]> {
  const named = [...new Set(options.list('for'))];
  if (named.length === 0) return [];
  return withWorkbench(ctx, options, async ({ bench }) => {
    const { members } = (await bench.project()).tip.state!.roster;
    return named.map((principal): Reader => {
      const member = members.find(({ principal_id }) => principal_id === principal);
      const certificate = member && certificateOf(member);
      if (certificate === undefined) throw new Failure('reader_unknown', { principal });
      return { principal, fingerprint: member!.encrypt_to!.fingerprint, certificate };
    });
  });
}

/** By the policy as it stands on this branch; outside of a project nothing uses anything. */
async function routesByReference(app: App): Promise<ReadonlyMap<string, readonly string[]>> {
  const used = new Map<string, readonly string[]>();
  for (const [name, { key }] of Object.entries(await routesHere(app))) used.set(key, [...(used.get(key) ?? []), name]);
  return used;
}

async function routesHere(app: App): Promise<Readonly<Record<string, { readonly key: string }>>> {
  try {
    const text = await (await app.workTree()).read(POLICY_PATH);
    const policy = readPolicyFile(text && new TextDecoder().decode(text), POLICY_PATH);
    return policy.is === 'accepted' ? policy.value.routes : {};
  } catch (error) {
    if (error instanceof Failure && OUTSIDE.has(error.code)) return {};
    throw error;
  }
}

const OUTSIDE: ReadonlySet<string> = new Set(['not_a_repository', 'git_missing', 'no_work_tree']);

function refOf(name: string): string {
  return `vault:${name}`;
}

function nameOf(reference: string): string {
  return reference.slice('vault:'.length);
}

function whoReads({ readers }: VaultEntry): string {
  return ['this machine', ...readers.map(({ principal }) => principal)].join(', ');
}

function ageOf({ setAtSeconds }: VaultEntry, nowSeconds: number): string {
  const days = Math.floor((nowSeconds - setAtSeconds) / DAY_SECONDS);
  return days < 1 ? 'set today' : days === 1 ? 'set yesterday' : `set ${days} days ago`;
}

function usedBy(routes: readonly string[] | undefined): string {
  return routes === undefined
    ? 'used by no route here'
    : `used by ${routes.map((name) => `routes/${name}`).join(', ')}`;
}
