// What a person's clone asks of the forge whose jobs run its missions: to look now at what was written, or to hear a command
// of a comment, both with the person's own token. Without one it says who will find it, and when. Signs and writes nothing.
import type { ForgeRepository } from '../../../ports/forge.ts';
import { chooseKey } from '../../../app/choose-key.ts';
import { fileAt } from '../../../app/mission/target.ts';
import { Failure } from '../../../failure.ts';
import { SCHEDULE_MINUTES, WORKFLOW_PATHS } from '../../../forge-text/workflows.ts';
import type { MissionSite, Site } from './site.ts';

/** Whether jobs of a forge run the missions of this project, and no computer of a person. */
export async function isOnForge({ bench, home }: Pick<Site, 'bench' | 'home'>): Promise<boolean> {
  if (home === undefined) return false;
  const commit = await bench.parts.repository.resolve('HEAD');
  return commit !== undefined && (await fileAt(bench, commit, WORKFLOW_PATHS.caller)) !== undefined;
}

/** How a mission begins there: where it has an issue, people can talk about it. */
export const FILE_THE_FORM = 'file the form “Mission proposal” as a new issue of the repository';

/** Only where it is done by hand anyway: never under a key or a setting of a laptop. */
export async function refuseOnForge(site: MissionSite, typed: string): Promise<void> {
  if (!(await isOnForge(site))) return;
  throw new Failure('forge_runs_it', { mission: site.name, command: typed });
}

/** After something landed: the jobs that go on from it begin now, or by themselves within their schedule. */
export async function wake(site: Site & Partial<Pick<MissionSite, 'name'>>): Promise<void> {
  if (!(await isOnForge(site))) return;
  const { out } = site.ctx;
  const later = `it is on the remote; the forge looks by itself within ${SCHEDULE_MINUTES} minutes`;
  try {
    const forge = await forgeOf(site);
    const file = WORKFLOW_PATHS.caller.split('/').at(-1)!;
    if (forge === undefined) out.note(`${later} (no LAZARUS_TOKEN for it to be woken with)`);
    else if (await forge.startWorkflow(file, site.name === undefined ? {} : { mission: site.name }))
      out.note('it is on the remote, and the forge was told to look now');
    else out.note(later);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // What was written stays written: only nobody was woken.
    out.warn(`${later} (it could not be woken: ${error.code})`);
  }
}

/** What only the forge's gate may sign is asked of it as anybody does: by a comment, under the person's own account. */
export async function typeInIssue(site: MissionSite, { issue, line }: { issue: number | null; line: string }) {
  const forge = await forgeOf(site);
  if (forge === undefined || issue === null)
    throw new Failure('forge_runs_it', { mission: site.name, issue }, { next: `type ${line} in the issue` });
  await forge.createComment(issue, line);
}

/** What whoever pushed can do about a refusal, which the forge itself words as an internal error where it knows no key. */
export async function nextAfterRefusal(site: Site, { facts }: Failure): Promise<string | undefined> {
  const address = forgeAddress(site.bench.parts.remote?.displayUrl ?? '');
  if (site.home === undefined || address === undefined) return undefined;
  if (/permission denied/i.test(String(facts['why'])))
    return 'ask for write access to the repository, or type the same as a comment of the issue';
  const { app, options, project, ctx } = site;
  const { store } = await app.keys();
  const wanted = options.text('as') ?? options.text('key') ?? ctx.env['LAZARUS_KEY'];
  const { fingerprint } = chooseKey(await store.list(), wanted, project.roster);
  return `lazarus keys register ${fingerprint} --forge ${address.base}`;
}

async function forgeOf({ app, bench, ctx }: Site): Promise<ForgeRepository | undefined> {
  const address = forgeAddress(bench.parts.remote?.displayUrl ?? '');
  if (address === undefined || (ctx.env['LAZARUS_TOKEN'] ?? '') === '') return undefined;
  // A token is for the one server that was named: it is offered to no other.
  if (ctx.env['LAZARUS_TOKEN_ORIGIN'] !== new URL(address.base).origin) return undefined;
  const { forge } = await app.forge(address.base);
  return forge.repository({ owner: address.owner, name: address.name });
}

function forgeAddress(url: unknown): { base: string; owner: string; name: string } | undefined {
  const [, base, owner, name] = /^(https?:\/\/.+)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(String(url)) ?? [];
  return base === undefined ? undefined : { base, owner: owner!, name: name! };
}
