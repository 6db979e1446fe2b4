// Builds what one job of a forge's CI works with: a repository of its own, in memory or in the job's folder and removed when
// it ends, the forge as remote, the job's key, and the project verified from its first event.
import { mayGitOrItsHelpersManage } from '../adapters/git-remote/only-git.ts';
import { createGitea } from '../adapters/gitea/server.ts';
import { signerFromText } from '../adapters/keys/memory-keys.ts';
import { bareRepository } from '../adapters/git/bare-repository.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { keyOfJob, type JobRole } from '../app/gate/job-key.ts';
import { openMissions, projectOfJob, type JobProject } from '../app/gate/job-project.ts';
import type { Site } from '../app/gate/site.ts';
import { branchExecutors, forgeExecutors } from '../app/mission/executors.ts';
import { actOn, projectState } from '../app/mission/world.ts';
import type { Recent } from '../app/recent-heads.ts';
import type { Workbench } from '../app/workbench.ts';
import { briefWorkbench } from './brief.ts';
import { compose, type App, type Circumstances } from './app.ts';
import { missionWorld, runningOf } from './missions.ts';
import type { Forge, ForgeUser } from '../ports/forge.ts';

export type JobSite = Site & {
  /** How long each push took so far: the forge’s time, told apart from ours. */
  readonly pushesMs: readonly number[];
  readonly close: () => Promise<void>;
};

/** Where a job runs, and for which project. */
export type JobOrigin = {
  readonly serverUrl: string;
  readonly owner: string;
  readonly repository: string;
  readonly genesis: string;
  readonly run: { readonly id: number; readonly attempt: number } | null;
  readonly temporary: string;
};

type JobOptions = Omit<JobProject, 'genesis'> & {
  readonly role: JobRole;
  /** An id for the mission that an event may become. */
  readonly fresh?: string;
  /** Looks at ledgers and two files, answers and ends: worth no clone on a disk. */
  readonly isBrief: boolean;
};

export async function openJobSite(at: JobOrigin, env: NodeJS.ProcessEnv, options: JobOptions): Promise<JobSite> {
  const forge = createGitea({ url: at.serverUrl, token: env['LAZARUS_TOKEN'] });
  const own = forge.whoami();
  // Told when it is needed; a job that ends before that has no use for the answer.
  own.catch(() => undefined);
  const opening = { ...options, env, forge, own };
  const brief = options.isBrief ? openBrief(at, env) : undefined;
  if (brief !== undefined) {
    try {
      return await openSite(at, { ...opening, ...brief });
    } catch (error) {
      await brief.close();
      if (!mayGitOrItsHelpersManage(error)) throw error;
    }
  }
  const clone = await openClone(at, env);
  try {
    return await openSite(at, { ...opening, ...clone });
  } catch (error) {
    await clone.close().catch(() => undefined);
    throw error;
  }
}

type Opened = {
  readonly app: App;
  readonly bench: Workbench;
  readonly pushesMs: readonly number[];
  readonly close: () => Promise<void>;
};

function openBrief(at: JobOrigin, env: NodeJS.ProcessEnv): Opened | undefined {
  const { recent, pushesMs } = timedPushes();
  const base = baseOf(at, env);
  const bench = briefWorkbench(cloneUrl(at), { env: base.env, recent });
  return bench === undefined ? undefined : { app: compose(base), bench, pushesMs, close: () => bench.close() };
}

async function openClone(at: JobOrigin, env: NodeJS.ProcessEnv): Promise<Opened> {
  const { recent, pushesMs } = timedPushes();
  const base = baseOf(at, env);
  const { path, remove } = await bareRepository({ folder: at.temporary });
  try {
    const app = compose({ ...base, cwd: path });
    const bench = await app.workbench({ url: cloneUrl(at) }, { recent, isOwn: true });
    const close = async (): Promise<void> => {
      try {
        await bench.close();
      } finally {
        await remove();
      }
    };
    return { app, bench, pushesMs, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

function timedPushes(): { readonly recent: Recent; readonly pushesMs: readonly number[] } {
  const pushesMs: number[] = [];
  return { pushesMs, recent: { nowMs: () => performance.now(), onPush: (tookMs) => pushesMs.push(tookMs) } };
}

function cloneUrl({ serverUrl, owner, repository }: JobOrigin): string {
  return `${serverUrl}/${owner}/${repository}.git`;
}

function baseOf(at: JobOrigin, env: NodeJS.ProcessEnv): Circumstances {
  return {
    cwd: at.temporary,
    env: jobEnvironment(at, env),
    signal: new AbortController().signal,
    input: { interactive: false },
  };
}

/** The job's token goes to its own server and nowhere else. */
function jobEnvironment({ serverUrl }: JobOrigin, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, LAZARUS_TOKEN_ORIGIN: serverUrl };
}

type Opening = Opened &
  JobOptions & {
    readonly env: NodeJS.ProcessEnv;
    readonly forge: Forge;
    readonly own: Promise<ForgeUser>;
  };

async function openSite(at: JobOrigin, opening: Opening): Promise<JobSite> {
  const { env, role, fresh, forge, own, app, bench, close, pushesMs } = opening;
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
  return {
    close,
    pushesMs,
    desk: async () => ({
      world,
      signer,
      forge: repository,
      ownId: await ownId(),
      owner: at.owner,
      repository: at.repository,
      missionOf,
      ...(fresh === undefined ? {} : { fresh }),
      shown: { home: `${at.serverUrl}/${at.owner}/${at.repository}`, custody: 'actions', run: at.run },
    }),
    actOn: async (mission) => actOn(world, await bench.findAnywhere(mission), signer),
    executors: async () => ({ ...branchExecutors(bench), ...forgeExecutors(repository, await ownId()) }),
    running: () => runningOf(bench, { env }),
    openMissions: () => openMissions(world),
  };
}
