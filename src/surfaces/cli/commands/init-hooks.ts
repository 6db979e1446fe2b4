// `lazarus init --hooks`: places hooks in this clone that stop accidents with ledgers and work branches, or takes them back.
import { callingLines, placingItems, removingItems } from '../../../app/init/hooks.ts';
import { setUp, type ItemResult } from '../../../app/init/items.ts';
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../command.ts';
import { exitOf, itemLine } from '../init/results.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

/** On standard output, so that it can be sent to wherever the server is. */
export async function printServerHook(ctx: Context): Promise<number> {
  const hook = await compose(ctx).serverHook();
  ctx.out.emit(hook.trimEnd().split('\n'), { name: 'pre-receive', hook });
  return 0;
}

const OF_OTHER_SETUPS = ['name', 'machine', 'forge', 'repo', 'forgeUser', 'action', 'key'] as const;

export async function initHooks(ctx: Context, options: Values): Promise<number> {
  const other = OF_OTHER_SETUPS.find((name) => options.text(name) !== undefined);
  if (other !== undefined || options.flag('commit'))
    throw new Failure('usage', {
      option: 'hooks',
      problem: `it places hooks only, and --${other ?? 'commit'} is for something else`,
    });
  const [isDryRun, removes] = [options.flag('dryRun'), options.flag('remove')];
  const { folder, hooks } = await compose(ctx).hooks();
  const wanted = await (removes ? removingItems(folder, hooks) : placingItems(folder, hooks));
  const items = await setUp(wanted, { isDryRun, onResult: (result) => ctx.out.note(itemLine(result)) });
  const next = items.flatMap(({ next: line }) => (line === undefined ? [] : [line]));
  const callable = new Set(hooks.flatMap(({ name, isGits }) => (isGits ? [name] : [])));
  ctx.out.emit(told(items, { isDryRun, removes, callable }), { dry_run: isDryRun, folder: folder.path, items, next });
  return exitOf(items);
}

function told(
  items: readonly ItemResult[],
  {
    isDryRun,
    removes,
    callable,
  }: { readonly isDryRun: boolean; readonly removes: boolean; readonly callable: ReadonlySet<string> },
): Line[] {
  if (isDryRun) return ['Nothing was changed. The same command without --dry-run does it.'];
  if (removes) return [items.length === 0 ? 'There was no hook of lazarus.' : 'The hooks of lazarus are gone.'];
  const open = items.filter(({ is, next }) => is === 'differs' && next !== undefined);
  return [
    'From now on git refuses here to rewrite, delete or commit to a ledger by hand, to push one, and to commit or push',
    'on a work branch what its mission does not own. Against accidents: git passes hooks over with --no-verify. What',
    'protects ledgers from everybody are the rules of the forge (lazarus init --forge) and hooks/pre-receive.',
    ...(open.length === 0 ? [] : ['Left to do:']),
    ...open.flatMap(({ title, next }): Line[] => [
      `  ${next}`,
      ...(callable.has(title) ? callingLines(title).map((line) => `    ${line}`) : []),
    ]),
    ...(open.length === 0 ? [] : ['then the same command again']),
  ];
}
