// `lazarus ledger push`, `pull` and `compare`: carry ledgers between here and a remote, or only say how they stand.
import { compareWithRemote, pullLedgers, pushLedgers, type Compared, type Relation } from '../../../app/sync.ts';
import type { Workbench } from '../../../app/workbench.ts';
import type { App } from '../../../compose/app.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import { REASONS } from '../../../reasons.ts';
import { aligned } from '../output.ts';
import type { CommandModule, Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export const push: CommandModule = { run: (ctx, args, options) => sync(ctx, args, options, pushLedgers) };
export const pull: CommandModule = { run: (ctx, args, options) => sync(ctx, args, options, pulled) };
export const compare: CommandModule = { run: (ctx, args, options) => sync(ctx, args, options, compareWithRemote) };

type Work = (
  bench: Workbench,
  refs: readonly string[] | undefined,
  at: { readonly app: App; readonly remote: string },
) => Promise<readonly (Compared & { readonly moved?: boolean })[]>;

/** A project that came from there lives there: missions of this clone are that remote's from now on. */
const pulled: Work = async (bench, refs, { app, remote }) => {
  const isNew = (await bench.parts.repository.resolve(PROJECT_REF)) === undefined;
  const synced = await pullLedgers(bench, refs);
  if (isNew && synced.some(({ ledger, moved }) => moved && ledger === 'project'))
    await (await app.home(bench)).keep(remote);
  return synced;
};

async function sync(ctx: Context, args: Values, options: Values, work: Work): Promise<number> {
  const named = remoteFirst(args, options);
  return withWorkbench(ctx, named, async ({ app, bench }) => {
    const typed = args.list('ledgers');
    const refs = typed.length === 0 ? undefined : await Promise.all(typed.map((one) => bench.findAnywhere(one)));
    const progress = ctx.out.progress(`talking to ${bench.parts.remote?.displayUrl ?? 'the remote'}`);
    const compared = await work(bench, refs, { app, remote: named.need('remote') });
    progress.end();
    ctx.out.emit(aligned(compared.map(row)), {
      remote: bench.parts.remote?.displayUrl ?? null,
      ledgers: compared.map(({ ledger, relation, here, there, moved }) => ({
        ledger,
        relation,
        here: here ?? null,
        there: there ?? null,
        moved: moved ?? false,
      })),
    });
    return compared.some(({ relation }) => relation === 'forked') ? REASONS.fork_detected.exit : 0;
  });
}

/** The remote is the first argument, as with git; `origin` when none is named. */
function remoteFirst(args: Values, options: Values): Values {
  return options.with('remote', args.text('remote') ?? 'origin');
}

const SAYS: Readonly<Record<Relation, string>> = {
  equal: 'the same on both sides',
  ahead: 'here is ahead',
  behind: 'the remote is ahead',
  forked: 'two histories: keep both, and ask who pushed what',
  absent_here: 'only on the remote',
  absent_there: 'only here',
};

function row({ ledger, relation, here, there, moved }: Compared & { moved?: boolean }): string[] {
  const heads = `${here?.slice(0, 12) ?? '-'} here, ${there?.slice(0, 12) ?? '-'} there`;
  return [ledger, moved === true ? `moved (was: ${SAYS[relation]})` : SAYS[relation], heads];
}
