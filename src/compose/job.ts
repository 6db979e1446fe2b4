// Builds what one job of a forge's CI works with: a repository of its own, in memory or in the job's folder and removed when
// it ends, the forge as remote, the job's key, and the project verified from its first event.
import { join } from 'node:path';
import { mayGitOrItsHelpersManage } from '../adapters/git-remote/only-git.ts';
import { publicHalfOf, signerFromText } from '../adapters/keys/memory-keys.ts';
import { bareRepository } from '../adapters/git/bare-repository.ts';
import { redactText } from '../adapters/system/redact.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { KEY_VARIABLES, keyOfJob, type JobRole } from '../app/gate/job-key.ts';
import { projectOfJob, type JobProject } from '../app/gate/job-project.ts';
import { openMissions } from '../app/gate/open-missions.ts';
import type { Site } from '../app/gate/site.ts';
import { branchExecutors, forgeExecutors } from '../app/mission/executors.ts';
import { canariesIn } from '../app/mission/canaries.ts';
import type { ExposedTo } from '../kernel/policy/exposure.ts';
import { actOn, projectState } from '../app/mission/world.ts';
import { keepRecalled, leaveProject } from '../app/leave-project.ts';
import { bringTogether } from '../app/recent-heads.ts';
import type { OwnKey } from '../ledger/known.ts';
import { knownRef } from '../ledger/names.ts';
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import { parsePublicKey } from '../format/openpgp/public-key.ts';
import type { Workbench } from '../app/workbench.ts';
import { briefWorkbench } from './brief.ts';
import { compose, type App, type Circumstances } from './app.ts';
import {
  askFirst,
  cloneUrl,
  jobEnvironment,
  refsOfJob,
  timedPushes,
  type Asking,
  type BriefParts,
  type FirstQuestions,
  type JobOrigin,
} from './first-questions.ts';
import type { Stow } from '../ports/stow.ts';
import { untilInterrupted } from '../app/mission/interrupted.ts';
import { missionWorld, runningOf } from './missions.ts';

export type JobSite = Site & {
  /** How long each push took so far: the forge’s time, told apart from ours. */
  readonly pushesMs: readonly number[];
  /** For the next job of this key, where this one came to know more than lies there. Nobody waits for it, and nothing rests on it. */
  readonly leave: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type JobOptions = Asking &
  Pick<JobProject, 'issue'> & {
    readonly role: JobRole;
    /** An id for the mission that an event may become. */
    readonly fresh?: string;
    /** Aborted when the job is told to leave: a cell ends then, and what it came to is handed over. */
    readonly leaving?: AbortSignal;
    /** Every writer of the repository, unless somebody keeps this user's keys from jobs: whatever else a runner is asked to do is done by the same user. */
    readonly exposedTo?: ExposedTo;
  };

/** `first`: asked already, by whoever read this file meanwhile. */
export async function openJobSite(
  at: JobOrigin,
  env: NodeJS.ProcessEnv,
  options: JobOptions,
  first: FirstQuestions = askFirst(at, env, options),
): Promise<JobSite> {
  const opening = { ...options, env, first };
  const { brief } = first;
  if (brief !== undefined) {
    const opened = openBrief(at, env, brief);
    try {
      return await openSite(at, { ...opening, ...opened });
    } catch (error) {
      await opened.close();
      if (!isForAClone(error)) throw error;
    }
  }
  const clone = await openClone(at, env, { ...options, patience: first.patience });
  try {
    return await openSite(at, { ...opening, ...clone });
  } catch (error) {
    await clone.close().catch(() => undefined);
    throw error;
  }
}

/** What memory cannot hold, what only git can reach, and what a job wants of a past that it did not bring along. */
function isForAClone(error: unknown): boolean {
  return mayGitOrItsHelpersManage(error) || (error instanceof Failure && error.code === 'object_missing');
}

type Opened = {
  readonly app: App;
  readonly bench: Workbench;
  readonly brought: JobProject['brought'];
  readonly pushesMs: readonly number[];
  readonly close: () => Promise<void>;
};

function openBrief(at: JobOrigin, env: NodeJS.ProcessEnv, parts: BriefParts): Opened {
  const { brought, pushesMs } = parts;
  const bench = briefWorkbench(parts);
  return { app: compose(baseOf(at, env)), bench, brought, pushesMs, close: () => bench.close() };
}

async function openClone(
  at: JobOrigin,
  env: NodeJS.ProcessEnv,
  { refs, role, patience }: Pick<JobOptions, 'refs' | 'role'> & Pick<FirstQuestions, 'patience'>,
): Promise<Opened> {
  const { recent, pushesMs } = timedPushes();
  const base = baseOf(at, env);
  const { path, remove } = await bareRepository({ folder: at.temporary });
  try {
    const app = compose({ ...base, cwd: path });
    const bench = await app.workbench({ url: cloneUrl(at) }, { recent, patience, isOwn: true });
    const close = async (): Promise<void> => {
      try {
        await bench.close();
      } finally {
        await remove();
      }
    };
    const brought = ownKeys(role, env, app).then((own) =>
      broughtAlong(bench, { refs: refsOfJob(refs), own, genesis: at.genesis }),
    );
    return { app, bench, brought, pushesMs, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Those that the job may sign with: which of a runner's is on the roster, nobody knows yet. */
async function ownKeys(role: JobRole, env: NodeJS.ProcessEnv, app: App): Promise<readonly OwnKey[]> {
  if (role !== 'cell') {
    const own = publicHalfOf(nodeCrypto, env[KEY_VARIABLES[role][0]] ?? '');
    return own === undefined ? [] : [own];
  }
  const { store } = await app.keys();
  return (await store.list()).map(({ fingerprint, publicKey }) => {
    const { ed25519 } = parsePublicKey(publicKey, nodeCrypto);
    return { fingerprint, ed25519 };
  });
}

/** With what a key of the job left of the project, which is then known here as if the job had verified it. */
async function broughtAlong(
  bench: Workbench,
  {
    refs,
    own,
    genesis,
  }: { readonly refs: readonly string[]; readonly own: readonly OwnKey[]; readonly genesis: string },
): Promise<ReadonlyMap<string, Oid>> {
  const heads = await bringTogether(bench.parts, [...refs, ...own.map(({ fingerprint }) => knownRef(fingerprint))]);
  const known = own.find(({ fingerprint }) => heads.has(knownRef(fingerprint)));
  if (known !== undefined) await keepRecalled(bench, known, genesis);
  return heads;
}

function baseOf(at: JobOrigin, env: NodeJS.ProcessEnv): Circumstances {
  return {
    cwd: at.temporary,
    env: jobEnvironment(at, env),
    signal: new AbortController().signal,
    input: { interactive: false },
  };
}

type Opening = Opened &
  JobOptions & {
    readonly env: NodeJS.ProcessEnv;
    readonly first: FirstQuestions;
  };

async function openSite(at: JobOrigin, opening: Opening): Promise<JobSite> {
  const { env, role, fresh, leaving, exposedTo = 'repository_writers', told, app, bench, close, pushesMs } = opening;
  const { forge, own } = opening.first;
  const { genesis } = at;
  const { world, missionOf } = await projectOfJob(bench, { ...opening, genesis }, () =>
    missionWorld(app, bench, { genesis }),
  );
  const signer = await keyOfJob(role, {
    roster: projectState(world).roster,
    env,
    store: async () => (await app.keys()).store,
    fromText: (armored, how) => signerFromText(nodeCrypto, armored, how),
  });
  const repository = forge.repository({ owner: at.owner, name: at.repository });
  const ownId = async (): Promise<number> => (await own).id;
  const stow = role === 'cell' ? await stowOf(env, bench, genesis) : undefined;
  return {
    close,
    pushesMs,
    leave: async () => {
      try {
        if (leaving?.aborted !== true) await leaveProject(bench, signer);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        told(`nothing is left for the next job of this key: ${error.code}`);
      }
    },
    desk: async () => ({
      world,
      signer,
      forge: repository,
      ownId: await ownId(),
      owner: at.owner,
      repository: at.repository,
      missionOf,
      redacted: (text) => redactText(text, canariesIn(env)),
      ...(fresh === undefined ? {} : { fresh }),
      shown: { home: `${at.serverUrl}/${at.owner}/${at.repository}`, custody: 'actions', run: at.run },
    }),
    actOn: async (mission) => actOn(world, await bench.findAnywhere(mission), signer),
    executors: async () => ({ ...branchExecutors(bench), ...forgeExecutors(repository, await ownId()) }),
    running: async () => {
      const found = await runningOf(bench, { env, exposedTo });
      const { giveUp } = opening.first;
      const running = stow === undefined ? found : { ...found, stowing: { stow, giveUp } };
      if (leaving === undefined) return running;
      const onEnd = (): void => told('interrupted: the cell is being ended, and what was begun handed over');
      return { ...running, cells: untilInterrupted(running.cells, leaving, onEnd) };
    },
    ...(stow === undefined ? {} : { waiting: { stow, told } }),
    openMissions: () => openMissions(world),
  };
}

/** Beside the folders of cells, in none that a cell is given. */
async function stowOf(env: NodeJS.ProcessEnv, { parts }: Workbench, project: string): Promise<Stow> {
  const [{ cellsFolder }, { stowFiles }] = await Promise.all([
    import('../adapters/cells/open-cells.ts'),
    import('../adapters/state/stow-files.ts'),
  ]);
  return stowFiles({ folder: join(cellsFolder(env), 'handovers'), project, clock: parts.clock });
}
