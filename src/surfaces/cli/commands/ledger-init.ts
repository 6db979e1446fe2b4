// `lazarus ledger init`: the first commit of a project ledger, or with --mission of a mission that grows out of it.
import { beginMission, beginProject, firstRoster, principalOf } from '../../../app/begin.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { missionRef, PROJECT_REF, ledgerName } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench, type Workspace } from '../workspace.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<void> {
  await withWorkbench(ctx, options, (workspace) =>
    options.flag('mission') ? mission(ctx, options, workspace) : project(ctx, options, workspace),
  );
}

async function project(ctx: Context, options: Values, { app, bench }: Workspace): Promise<void> {
  const signer = await signerOf(app, options);
  const id = app.ids.next();
  const roster = firstRoster(
    id,
    unwrap(principalOf(signer.stored.userId)),
    signer,
    options.whole('forgeUserId') ?? null,
  );
  const session = bench.session(PROJECT_REF, signer);
  const landed = unwrap(await session.submit(beginProject(id, roster)));
  const { state } = await session.tip();
  ctx.out.emit(
    [
      `project ledger begun: ${id}`,
      `  head     ${landed.head.oid} (size ${landed.head.size})`,
      `  genesis  ${state!.project_genesis}`,
      'Give the genesis fingerprint to everybody who will verify: it is where their trust starts.',
    ],
    { ledger: 'project', project_id: id, genesis: state!.project_genesis, head: landed.head },
  );
}

async function mission(ctx: Context, options: Values, { app, bench }: Workspace): Promise<void> {
  const view = await knownProject(bench);
  const signer = await signerOf(app, options, view.tip.state!.roster);
  const id = app.ids.next();
  const ref = missionRef(id);
  const landed = unwrap(
    await bench.session(ref, signer, view).submit(beginMission(id, view, options.text('proposal') ?? null)),
  );
  ctx.out.emit(
    [
      `mission ledger begun: ${ledgerName(ref)}`,
      `  id    ${id}`,
      `  head  ${landed.head.oid} (size ${landed.head.size})`,
    ],
    { ledger: ledgerName(ref), mission_id: id, head: landed.head },
  );
}
