// `lazarus ledger append --cold`: the same events, sent to a remote that there is no clone of.
import type { Wanted } from '../../app/append.ts';
import type { LandedCold } from '../../app/cold/append-cold.ts';
import type { ColdWorld } from '../../app/cold/cold-world.ts';
import { Failure } from '../../failure.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import { LEDGER_REFS, PROJECT_REF } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Context } from './command.ts';
import type { Values } from './values.ts';
import { signerOf, unwrap } from './workspace.ts';

export async function landCold(
  ctx: Context,
  { ledger, url }: { readonly ledger: string; readonly url: string },
  options: Values,
  transactions: readonly (readonly Wanted[])[],
): Promise<readonly LandedCold[]> {
  if (options.text('remote') !== undefined) throw new Failure('usage', { conflicting: ['--cold', '--remote'] });
  const ref = refOf(ledger);
  const [{ compose }, { appendCold, adding }, { appendWanted }] = await Promise.all([
    import('../../compose/app.ts'),
    import('../../app/cold/append-cold.ts'),
    import('../../app/append.ts'),
  ]);
  const app = compose(ctx);
  let chosen: Promise<Signer> | undefined;
  const signer = (roster: Roster): Promise<Signer> => (chosen ??= signerOf(app, options, roster));
  const onWhole = (): void =>
    ctx.out.note(`nothing short of all of ${ledger} can be relied on here: fetching and verifying the whole ledger`);
  const expect = options.whole('expectSize');
  const world: ColdWorld & { readonly close: () => Promise<void> } = await app.cold(url);
  try {
    const landed: LandedCold[] = [];
    for (const wanted of transactions) {
      const { decide } = appendWanted(wanted, app.ids, expect);
      landed.push(unwrap(await appendCold(world, ref, { decide, adding: adding(wanted), signer, onWhole })));
    }
    return landed;
  } finally {
    await world.close();
  }
}

/** Without a clone there is nothing to complete a beginning from. */
function refOf(ledger: string): string {
  if (ledger === 'project') return PROJECT_REF;
  if (/^m-[0-9a-f]{12}$/.test(ledger)) return LEDGER_REFS + ledger;
  throw new Failure('usage', { ledger, expected: 'with --cold: project, or the whole name m-<12 hex digits>' });
}
