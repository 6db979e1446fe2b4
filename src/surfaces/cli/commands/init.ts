// `lazarus init`: what missions need in this repository, made item by item and never twice.
import { uncommitted, COMMIT_MESSAGE } from '../../../app/init/files.ts';
import { initHere } from '../../../app/init/init-here.ts';
import { headCommit, type FileWorld } from '../../../app/init/policy-files.ts';
import { projectIn } from '../../../app/init/project.ts';
import type { ItemResult } from '../../../app/init/items.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../command.ts';
import { foundersOf } from '../init/founders.ts';
import { agreeToPolicy, exitOf, itemLine } from '../init/results.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<number> {
  if (options.flag('preReceive')) return (await import('./init-hooks.ts')).printServerHook(ctx);
  if (options.flag('hooks')) return (await import('./init-hooks.ts')).initHooks(ctx, options);
  const forge = options.text('forge');
  if (options.list('overwrite').length > 0 && (forge === undefined || options.flag('remove')))
    throw new Failure('usage', { option: 'overwrite', expected: '--forge beside it, and not --remove' });
  if (options.flag('remove')) {
    if (forge === undefined) throw new Failure('usage', { option: 'remove', expected: '--forge or --hooks beside it' });
    return (await import('./init-forge-remove.ts')).removeFromForge(ctx, forge, options);
  }
  if (forge === undefined) return here(ctx, options);
  return (await import('./init-forge.ts')).initOnForge(ctx, forge, options);
}

async function here(ctx: Context, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async ({ app, bench }) => {
    const world = { bench, workTree: await app.workTree() };
    // Before anybody is asked for anything.
    await headCommit(bench);
    const project = projectIn(bench);
    const founding = await foundersOf(ctx, app, options, (await project.state())?.roster);
    const templates = { policy: await app.template('policy.yml'), sacred: await app.template('sacred.yml') };
    const isDryRun = options.flag('dryRun');
    const items = await initHere(
      world,
      {
        ...founding,
        forgeUserId: null,
        project,
        templates,
        commits: options.flag('commit'),
        agree: (revision) => agreeToPolicy(ctx, revision),
      },
      { isDryRun, onResult: (result) => ctx.out.note(itemLine(result)) },
    );
    const state = await project.state();
    const next = isDryRun ? [] : nextLines(items, await isNewFileOpen(world));
    const genesis = state?.project_genesis;
    ctx.out.emit(summary(genesis, next, isDryRun), {
      dry_run: isDryRun,
      items,
      project_id: state?.project_id ?? null,
      genesis: genesis ?? null,
      person: founding.person.principal,
      machine: founding.machine.principal,
      policy: state?.policy ?? null,
      next,
    });
    return exitOf(items);
  });
}

async function isNewFileOpen(world: FileWorld): Promise<boolean> {
  return (await uncommitted(world)).some(({ isNew }) => isNew);
}

function nextLines(items: readonly ItemResult[], hasNewFiles: boolean): string[] {
  const open = items.flatMap(({ next }) => (next === undefined ? [] : [next]));
  // Forced, because a pattern such as `.*` in .gitignore covers the folder.
  const commit = hasNewFiles
    ? [
        'git add --force .gitea/lazarus',
        `git commit -m "${COMMIT_MESSAGE}"`,
        'lazarus propose --example > mission.yaml',
      ]
    : [];
  return [...new Set([...open, ...commit, 'lazarus propose mission.yaml'])];
}

function summary(genesis: string | undefined, next: readonly string[], isDryRun: boolean): Line[] {
  if (isDryRun) return ['Nothing was changed. The same command without --dry-run does it.'];
  const trust =
    genesis === undefined
      ? []
      : [`genesis  ${genesis}`, 'Give it to everybody who will verify: it is where their trust starts.'];
  return [...trust, 'Next:', ...next.map((line) => `  ${line}`)];
}
