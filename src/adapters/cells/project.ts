// A cell's project: laid out before its participant comes, taken back when it has gone. Both happen in a sandbox of the
// same kind; the host itself touches only packs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matcher } from '../../kernel/scope/globs.ts';
import { foldCase } from '../../kernel/scope/paths.ts';
import type { CellLimits, LaidAside, ProjectBase, Work, WorkIdentity } from '../../ports/cells.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Backend, Fence, Setting } from './backend.ts';
import type { CellPaths } from './environment.ts';
import type { Folders } from './folders.ts';
import { readHandOver } from './handed-over.ts';
import { saysFull } from '../system/disk.ts';
import { secretSearch } from '../system/redact.ts';
import { removeTree } from './remove-tree.ts';
import { COLLECT, LAY_OUT, MASKED, TOO_MUCH } from './scripts.ts';
import { runErrand, type Errand } from './errand.ts';

export type Site = {
  readonly backend: Backend;
  readonly folders: Folders;
  readonly places: CellPaths;
  readonly setting: Setting;
};

const STEP_TIMEOUT_MS = 120_000;

/** `masked`: globs of files that the participant does not find, though they stay part of the tree. */
export async function layOut(
  site: Site,
  repositories: WorkRepositories,
  base: ProjectBase,
  masked: readonly string[],
): Promise<void> {
  if (masked.length > 0) {
    const paths = await filesLike(repositories, base, masked);
    // For our own steps alone, which run as the cell's user.
    writeFileSync(join(site.folders.keep, MASKED), paths.map((path) => `${path}\0`).join(''), { mode: 0o444 });
  }
  const step = {
    ...stepOf(site, LAY_OUT, [base.commit], true),
    input: repositories.pack(base.repository, base.commit),
    failed: (facts: { says: string }) => fullOr(facts, 'cell_prepare_failed'),
  };
  await runErrand(site.backend.launch, step, (stdout) => drained(stdout));
}

/** In whatever case: a file that a tool finds on somebody's laptop must not be found here either. */
async function filesLike(
  repositories: WorkRepositories,
  { repository, commit }: ProjectBase,
  globs: readonly string[],
): Promise<readonly string[]> {
  const has = globs.map((glob) => matcher(foldCase(glob)));
  const paths = await repositories.paths(repository, commit);
  return paths.filter((path) => has.some((match) => match(foldCase(path))));
}

type Taking = {
  readonly base: ProjectBase;
  readonly into: string;
  readonly identity: WorkIdentity;
  /** The participant's own, once more: what it left can be as much as it was. */
  readonly limits: CellLimits;
  readonly fence: Fence;
  readonly canaries: readonly string[];
};

/** Throws `work_too_large`, `work_holds_secret`, `work_refused`; nothing of the work is kept then. */
export async function takeWork(site: Site, repositories: WorkRepositories, taking: Taking): Promise<Work> {
  const { base, into, identity, limits, fence, canaries } = taking;
  const { name, email, atSeconds, message } = identity;
  const collecting = stepOf(site, COLLECT, [base.commit], false);
  const step = {
    ...collecting,
    argv: site.backend.withLimits(collecting.argv, limits, fence),
    onHeld: fence.hold,
    failed: ({ says, exit }: { says: string; exit: number | string }) =>
      exit === TOO_MUCH ? new Failure('work_too_large', { why: says }) : fullOr({ says }, 'work_refused'),
  };
  const work = await runErrand(site.backend.launch, step, async (stdout) => {
    const { tree, dropped, pack } = await readHandOver(stdout);
    const commit = await repositories.receive({
      into,
      base,
      tree,
      pack,
      commit: { author: { name, email, atSeconds }, message },
    });
    return { repository: into, commit, tree, base: base.commit, dropped };
  });
  return withoutSecrets(repositories, work, canaries);
}

/** Of work that lay on a disk no cell is asked any more; what is believed of it is what git finds in its pack. */
export async function takeUp(
  repositories: WorkRepositories,
  { base, into, tree, pack, identity, dropped, canaries }: LaidAside & { readonly into: string },
): Promise<Work> {
  await removeTree(into);
  const { name, email, atSeconds, message } = identity;
  const commit = { author: { name, email, atSeconds }, message };
  const oid = await repositories.receive({ into, base, tree, pack, commit });
  return withoutSecrets(repositories, { repository: into, commit: oid, tree, base: base.commit, dropped }, canaries);
}

async function withoutSecrets(repositories: WorkRepositories, work: Work, canaries: readonly string[]): Promise<Work> {
  if (!(await holdsSecret(repositories, work, canaries))) return work;
  await removeTree(work.repository);
  throw new Failure('work_holds_secret');
}

/** In a file or in the name of one. What stands there could not be taken back from where work goes. */
async function holdsSecret(
  repositories: WorkRepositories,
  { repository, base, commit }: Work,
  canaries: readonly string[],
): Promise<boolean> {
  const search = secretSearch(canaries);
  if (search === undefined) return false;
  const objects = await repositories.objectsOf(repository, base, commit);
  return objects.some(({ body }) => search(body));
}

function stepOf(site: Site, script: string, rest: readonly string[], writable: boolean): Omit<Errand, 'failed'> {
  const { backend, folders, places, setting } = site;
  const keep = backend.name === 'none' ? folders.keep : '/cell/keep';
  return {
    ...setting,
    // No shell of the host: this one is inside, and reads a fixed text.
    argv: ['/bin/sh', '-c', script, 'step', places.project, keep, ...rest],
    // Not the participant's home: a configuration left there would be git's.
    env: { ...STEP_ENVIRONMENT, TMPDIR: places.temporary },
    workingDirectory: '/',
    mounts: [
      { path: folders.etc, at: '/etc', writable: false },
      { path: folders.project, at: places.project, writable },
      { path: folders.keep, at: keep, writable: true },
    ],
    folder: folders.root,
    timeoutMs: STEP_TIMEOUT_MS,
  };
}

/** Names of the participant's files may stand in it: whoever is told takes it for no more than words. */
function fullOr(facts: { readonly says: string }, otherwise: ReasonCode): Failure {
  return saysFull(facts.says) ? new Failure('disk_full', facts, { retry: 'later' }) : new Failure(otherwise, facts);
}

const STEP_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

async function drained(stdout: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stdout) void _;
}
