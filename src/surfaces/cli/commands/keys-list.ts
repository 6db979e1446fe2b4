// `lazarus keys list|show`: the keys kept here, and what the roster of this repository says of them.
import { chooseKey } from '../../../app/choose-key.ts';
import { principalOf } from '../../../app/begin.ts';
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import { base64 } from '../../../format/bytes.ts';
import { isBarred } from '../../../kernel/roster/barred.ts';
import type { State } from '../../../kernel/state.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import type { StoredKey } from '../../../ports/keys.ts';
import type { Context } from '../command.ts';
import { aligned } from '../output.ts';
import { keyWords } from '../roster-text.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export const list = {
  async run(ctx: Context, _args: Values, options: Values): Promise<void> {
    const { store, path } = await compose(ctx).keys();
    const keys = await store.list();
    const known = await rosterHere(ctx, options);
    const rows = keys.map((key) => [key.fingerprint, nameOf(key), key.custody, onRoster(key, known)]);
    ctx.out.emit(rows.length === 0 ? [`no keys in ${path}; make one with: lazarus keys new <name>`] : aligned(rows), {
      path,
      keys: keys.map((key) => ({ ...factsOf(key), on_roster: isListed(key, known) })),
    });
  },
};

export const show = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const { store } = await compose(ctx).keys();
    const known = await rosterHere(ctx, options);
    const key = chooseKey(await store.list(), args.need('name'), known?.roster);
    const rows = aligned([
      ['fingerprint', key.fingerprint],
      ['principal', nameOf(key)],
      ['custody', key.custody],
      ['made', new Date(key.createdAtSeconds * 1000).toISOString()],
      ['roster', onRoster(key, known)],
      ['public key', base64(key.publicKey)],
    ]);
    ctx.out.emit(rows, { ...factsOf(key), on_roster: isListed(key, known), public_key: base64(key.publicKey) });
  },
};

type Known = Pick<State, 'roster' | 'cut_offs'>;

function nameOf(key: StoredKey): string {
  const principal = principalOf(key.userId);
  return principal.is === 'accepted' ? principal.value : key.userId;
}

function factsOf(key: StoredKey) {
  const { fingerprint, userId, custody } = key;
  return { fingerprint, principal: nameOf(key), user_id: userId, custody, made_at_seconds: key.createdAtSeconds };
}

function isListed({ fingerprint }: StoredKey, known: Known | undefined): boolean | null {
  if (known === undefined) return null;
  return known.roster.members.some((member) => member.keys.some((key) => key.fingerprint === fingerprint));
}

function onRoster({ fingerprint }: StoredKey, known: Known | undefined): string {
  if (known === undefined) return 'no project ledger here';
  for (const { roles, keys } of known.roster.members) {
    const key = keys.find((one) => one.fingerprint === fingerprint);
    if (key === undefined) continue;
    const [, validity = ''] = keyWords(key, isBarred(known)(fingerprint)).split('  ');
    return `${roles.join(',')}; ${validity}`;
  }
  return 'not on the roster here';
}

/** Undefined where there is no project ledger: keys exist without one. One that does not verify is no roster either. */
async function rosterHere(ctx: Context, options: Values): Promise<Known | undefined> {
  try {
    return await withWorkbench(ctx, options, async ({ bench }) => {
      if (!(await bench.ledgers()).includes(PROJECT_REF)) return undefined;
      const { report } = await bench.verify(PROJECT_REF, 'since-pin');
      if (report.integrity.is === 'refused')
        ctx.out.warn(`the project ledger does not verify: ${report.integrity.code}`);
      return report.integrity.is === 'ok' ? report.state : undefined;
    });
  } catch (error) {
    if (error instanceof Failure && OUTSIDE.has(error.code)) return undefined;
    throw error;
  }
}

const OUTSIDE: ReadonlySet<string> = new Set(['not_a_repository', 'git_missing']);
