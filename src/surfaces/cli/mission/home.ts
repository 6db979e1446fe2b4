// Whether the commands of a clone are about ledgers of its own, or about those of the remote that it was cloned from: found
// out once, for all of them. Asks for the project's genesis before anything of a remote is relied on. Knows no mission.
import { bring, projectThere } from '../../../app/bring.ts';
import { fileAt } from '../../../app/mission/target.ts';
import type { Workbench } from '../../../app/workbench.ts';
import type { App } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import { WORKFLOW_PATHS } from '../../../forge-text/workflows.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench, type Workspace } from '../workspace.ts';

/** `home`: the remote that the ledgers live on; undefined where they live in this repository. */
export type Ledgers = Workspace & { readonly home: string | undefined };

/** The ledgers that a command in this folder is about, the project's as new as it is there. */
export function withLedgers<T>(ctx: Context, use: (ledgers: Ledgers) => Promise<T>): Promise<T> {
  return atHome(ctx, async (ledgers) => {
    const { bench, home } = ledgers;
    if (home !== undefined) {
      const genesis = await acquainted(ctx, bench);
      await settled(ledgers);
      await bring(bench, [PROJECT_REF], { genesis });
    }
    return use(ledgers);
  });
}

/** For what people decide about the project: there as well, unless a remote was named. Written here alone it would fork. */
export function whereTheyLive<T>(ctx: Context, options: Values, use: (workspace: Workspace) => Promise<T>): Promise<T> {
  return options.text('remote') === undefined ? withLedgers(ctx, use) : withWorkbench(ctx, options, use);
}

/** The same for who verifies: what was vouched for is said by the report, so nobody is asked, and nothing is brought yet. */
export async function atHome<T>(ctx: Context, use: (ledgers: Ledgers) => Promise<T>): Promise<T> {
  const { compose } = await import('../../../compose/app.ts');
  const app = compose(ctx);
  const near = await app.workbench();
  let home: string | undefined;
  try {
    home = await homeOf(app, near);
    if (home === undefined) return await use({ app, bench: near, home });
  } finally {
    await near.close();
  }
  const bench = await app.workbench(remoteNamed(home));
  try {
    return await use({ app, bench, home });
  } finally {
    await bench.close();
  }
}

/** Remembered before the first reference moves: from then on this clone looks like one that has ledgers of its own. */
export async function settled({ app, bench, home }: Ledgers): Promise<void> {
  if (home !== undefined) await (await app.home(bench)).keep(home);
}

function remoteNamed(text: string): { readonly name: string } | { readonly url: string } {
  return /[/:]/.test(text) ? { url: text } : { name: text };
}

/**
 * As remembered; else the remote of an ordinary clone of a project's repository: its ledger lies among the branches that
 * git fetched, or the forge's workflow stands in the commit that is checked out. Neither is trusted for more than that.
 */
async function homeOf(app: App, near: Workbench): Promise<string | undefined> {
  const remembered = await (await app.home(near)).read();
  if (remembered !== undefined) return remembered;
  const { repository } = near.parts;
  if ((await repository.resolve(PROJECT_REF)) !== undefined) return undefined;
  const fetched = (await repository.list('refs/remotes/')).flatMap(({ ref }) => REMOTE_OF.exec(ref)?.[1] ?? []);
  if (fetched.length > 0) return fetched.find((name) => name === ORIGIN) ?? fetched[0];
  const commit = await repository.resolve('HEAD');
  if (commit === undefined || (await fileAt(near, commit, WORKFLOW_PATHS.caller)) === undefined) return undefined;
  return (await app.remotes()).find(({ name }) => name === ORIGIN)?.name;
}

const ORIGIN = 'origin';
const REMOTE_OF = /^refs\/remotes\/([^/]+)\/lazarus\/project$/;

/** The genesis that a person vouches for: once for a clone, by comparing it with what a founder said, never in silence. */
async function acquainted(ctx: Context, bench: Workbench): Promise<string | undefined> {
  const pin = await bench.parts.pins.read('project');
  if (pin?.genesis_confirmed === true) return undefined;
  const genesis = pin?.project_genesis ?? (await projectThere(bench));
  const remote = bench.parts.remote!.displayUrl;
  // Not by --yes either: it agrees to what a command does, and knows no fingerprint.
  if (!ctx.input.interactive || ctx.out.json) throw new Failure('genesis_unconfirmed', { remote, found: genesis });
  const lines = [
    `This clone meets the project on ${remote} for the first time.`,
    `  genesis  ${genesis}`,
    'Whoever founded the project can tell you what it must be. A server that shows another project cannot be noticed later.',
  ];
  await agree({ ...ctx, input: { ...ctx.input, yes: false } }, lines, 'Is that the genesis you were told?');
  return genesis;
}
