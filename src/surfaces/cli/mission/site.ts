// Where the commands about missions work: the project verified, the mission found by what was typed, and refusals told
// with the line to type next. Knows no command and decides nothing.
import { fetchArtifacts } from '../../../app/artifacts/fetch.ts';
import { bring } from '../../../app/bring.ts';
import type { MissionWorld } from '../../../app/mission/world.ts';
import { missionState, projectState, type Looking } from '../../../app/mission/world.ts';
import { nextLine } from '../../../next-line.ts';
import { underProject } from '../../../app/adoption.ts';
import { TOLD, type Told } from '../../../app/mission/told.ts';
import { folded } from '../../../app/folded.ts';
import { Failure } from '../../../failure.ts';
import type { MissionState, ProjectState } from '../../../kernel/state.ts';
import type { TreeHead } from '../../../kernel/values.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import type { Workspace } from '../workspace.ts';
import { nextAfterRefusal } from './forge-home.ts';
import { withLedgers } from './home.ts';

export type Site = Workspace & {
  readonly ctx: Context;
  readonly options: Values;
  readonly world: MissionWorld;
  readonly project: ProjectState;
  /** The remote that all of it lives on: what is written lands there or nowhere. Undefined: it lives in this repository. */
  readonly home: string | undefined;
};
export type MissionSite = Site & { readonly ref: string; readonly name: string };
/** A mission at one verified head, and what its events up to there came to. */
export type Seen = { readonly state: MissionState; readonly head: TreeHead; readonly told: Told };

export function inProject<T>(ctx: Context, options: Values, use: (site: Site) => Promise<T>): Promise<T> {
  // Read while git says where the repository is; told where it is needed.
  import('../../../compose/missions.ts').catch(() => undefined);
  return withLedgers(ctx, async (ledgers) => use(await siteIn(ledgers, ctx, options)));
}

export async function siteIn(
  workspace: Workspace & { readonly home?: string | undefined },
  ctx: Context,
  options: Values,
): Promise<Site> {
  const { missionWorld } = await import('../../../compose/missions.ts');
  if ((await workspace.bench.parts.repository.resolve(PROJECT_REF)) === undefined)
    throw new Failure('ledger_not_found', { ledger: 'project' }, { next: 'lazarus init' });
  const world = await missionWorld(workspace.app, workspace.bench);
  return { home: undefined, ...workspace, ctx, options, world, project: projectState(world) };
}

/** The same on the mission that was typed. */
export function atMission<T>(
  ctx: Context,
  { typed, options }: { readonly typed: string; readonly options: Values },
  use: (site: MissionSite) => Promise<T>,
): Promise<T> {
  return inProject(ctx, options, async (site) => {
    const ref = await findMission(site, typed);
    const name = ledgerName(ref);
    return about(name, () =>
      orRegister(site, async () => {
        await brought(site, ref);
        return use({ ...site, ref, name });
      }),
    );
  });
}

/** The mission and its documents, as new as they are where they live. */
export async function brought({ bench, home }: Site, ref: string): Promise<void> {
  if (home === undefined) return;
  await bring(bench, [ref]);
  await fetchArtifacts(bench, [ref]);
}

/** All of them with as many questions as for one. False where one of them stands in the way: then each is asked about. */
export async function broughtTogether({ bench, home }: Site, refs: readonly string[]): Promise<boolean> {
  if (home === undefined) return true;
  try {
    await bring(bench, refs);
    await fetchArtifacts(bench, refs);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

async function findMission({ bench }: Site, typed: string): Promise<string> {
  if (typed === 'project') throw new Failure('usage', { mission: typed, expected: 'm-…' });
  try {
    return await bench.find(typed);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'usage') throw error;
    throw new Failure(error.code, error.facts, { cause: error, next: 'lazarus list' });
  }
}

/** A forge that refuses a push is answered by whoever pushed, not by the mission. */
async function orRegister<T>(site: Site, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'push_rejected') throw error;
    const next = await nextAfterRefusal(site, error);
    throw next === undefined ? error : new Failure(error.code, error.facts, { cause: error, next });
  }
}

/** Whatever is refused in here is told with the line to type about this mission. */
export async function about<T>(mission: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.next !== undefined) throw error;
    const { code, facts, retry } = error;
    throw new Failure(code, facts, { cause: error, retry, next: nextLine({ code, facts, mission }, 'terminal') });
  }
}

/** As it stands in the ledger now, verified since it was last looked at. */
export async function seen({ bench, world, ref, ctx }: MissionSite): Promise<Seen> {
  const { value: told, verified } = await folded(bench, ref, TOLD, { project: world.project, signal: ctx.signal });
  const { state, head } = verified.report;
  if (state?.kind !== 'mission' || head === undefined)
    throw new Failure('ledger_not_opened', { ledger: ledgerName(ref) });
  return { state: underProject(state, world.project), head, told };
}

/** The same where this process has looked at it or acted on it, or is about to: nothing is verified a second time. */
export async function seenBy(at: Looking): Promise<Seen> {
  const { desk } = at;
  return { state: await missionState(at), head: await desk.head(), told: await desk.told() };
}
