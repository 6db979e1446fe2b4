// `lazarus init --remove --forge <url> --repo <owner/name>`: takes a set-up off a forge, once a person has seen what goes,
// what stays and which missions are open.
import { ACTION_REPOSITORY } from '../../../app/init/forge/action.ts';
import { forgeRemoval, type Removal } from '../../../app/init/forge/remove-forge.ts';
import { setUp, type ItemResult } from '../../../app/init/items.ts';
import { compose } from '../../../compose/app.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import { exitOf, itemLine } from '../init/results.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { inForge, repositoryName } from './init-forge.ts';

export async function removeFromForge(ctx: Context, url: string, options: Values): Promise<number> {
  const name = repositoryName('repo', options.text('repo'));
  return inForge(compose(ctx), url, name, async (app, world) => {
    const { forge, facts } = world;
    const home = repositoryName('action', options.text('action') ?? `${facts.owner}/${ACTION_REPOSITORY}`);
    const removal = await forgeRemoval(world, {
      templates: { policy: await app.template('policy.yml'), sacred: await app.template('sacred.yml') },
      action: { home, files: await app.builtAction() },
    });
    const isDryRun = options.flag('dryRun');
    const would = await setUp(removal.items, { isDryRun: true });
    const isAsked = !isDryRun && would.some(({ is }) => is === 'would');
    const shown = before(removal, would);
    if (isAsked) await agree(ctx, shown, `Take this off ${facts.owner}/${facts.name}?`);
    else for (const line of shown) ctx.out.note(line);
    const items = isAsked
      ? await setUp(removal.items, { isDryRun, onResult: (result) => ctx.out.note(itemLine(result)) })
      : would;
    const next = items.flatMap(({ next: line }) => (line === undefined ? [] : [line]));
    ctx.out.emit(told(items, { isDryRun, next }), {
      dry_run: isDryRun,
      forge: forge.displayUrl,
      repository: `${facts.owner}/${facts.name}`,
      items,
      stays: removal.stays,
      open_missions: removal.open,
      next,
    });
    return exitOf(items);
  });
}

function before({ stays, open }: Removal, would: readonly ItemResult[]): readonly Line[] {
  const missions = open.length === 0 ? [] : [`Open, and nobody moves them any more afterwards: ${open.join(', ')}`];
  return [...would.map(itemLine), 'What stays:', ...stays.map((one) => `  ${one}`), ...missions];
}

function told(
  items: readonly ItemResult[],
  { isDryRun, next }: { readonly isDryRun: boolean; readonly next: readonly string[] },
): Line[] {
  if (isDryRun) return ['Nothing was changed. The same command without --dry-run does it.'];
  if (items.length === 0) return ['There is nothing here that a set-up made.'];
  if (next.length === 0) return ['What the set-up made is gone. The ledgers are still there, and verify as before.'];
  return ['Left as it is:', ...next.map((line) => `  ${line}`)];
}
