// Builds what a look at this machine works with. Whatever it opens is closed again, however the look ends.
import { dirname } from 'node:path';
import { cellsFolder, openCells, openEnvironments } from '../adapters/cells/open-cells.ts';
import { whoAnswers } from '../adapters/door/knock.ts';
import { remotesOf } from '../adapters/git-remote/remotes.ts';
import { workRepositories } from '../adapters/git/work.ts';
import { createGitea } from '../adapters/gitea/server.ts';
import { thisHost } from '../adapters/system/host.ts';
import type { DoctorWorld, Told } from '../app/doctor/here.ts';
import { SUPERVISOR_SOCKET } from '../app/supervise/wire.ts';
import type { Workbench } from '../app/workbench.ts';
import { compose, type Circumstances } from './app.ts';
import { listening } from './listening.ts';
import { callRoute } from './route-call.ts';
import { openSecrets } from './secrets.ts';

export async function inDoctorWorld<T>(at: Circumstances, use: (world: DoctorWorld) => Promise<T>): Promise<T> {
  const app = compose(at);
  const folder = cellsFolder(at.env);
  const place = { folder, repositories: workRepositories, listen: listening };
  const benches: Workbench[] = [];
  try {
    return await use({
      node: process.versions.node,
      git: () => app.gitVersion(),
      async bench() {
        const bench = await app.workbench();
        benches.push(bench);
        return bench;
      },
      async far(name) {
        const bench = await app.workbench({ name });
        benches.push(bench);
        return bench;
      },
      cells: await openCells(place),
      environments: openEnvironments(place),
      keys: async () => (await app.keys()).store,
      secrets: openSecrets(at.env),
      host: thisHost,
      remotes: () => remotesOf(at.cwd, at.env),
      forge: (url) => createGitea({ url, token: at.env['LAZARUS_TOKEN'] || undefined, limits: FORGE_LIMITS }),
      builtAction: () => app.builtAction(),
      call: callRoute,
      supervisor: async () => {
        const named = at.env['LAZARUS_SUPERVISOR'] || undefined;
        const seen = await whoAnswers(named ?? SUPERVISOR_SOCKET);
        // Jobs ask nobody else than the one that was named.
        return named !== undefined && seen.is === 'none' ? { ...seen, is: 'silent' } : seen;
      },
      folders: { cells: folder, repository: ({ parts }) => dirname(parts.repository.stateDir) },
      told: toldBy(at),
    });
  } finally {
    await Promise.all(benches.map((bench) => bench.close()));
  }
}

/** Whoever waits for a whole screen is told sooner that a forge says nothing. */
const FORGE_LIMITS = { answerTimeoutMs: 10_000, answerBytesMax: 1 << 20 };

/** Variables of runners: Gitea's sets both. */
const OF_A_JOB = ['GITEA_ACTIONS', 'GITHUB_ACTIONS'];

function toldBy({ env, input }: Circumstances): Told {
  const set = (name: string): string | undefined => env[name] || undefined;
  const isJob = OF_A_JOB.some((name) => env[name] === 'true');
  return {
    isJob,
    isInteractive: input.interactive,
    passphrase: set('LAZARUS_PASSPHRASE'),
    isRoot: process.geteuid?.() === 0,
    variables: new Set(Object.keys(env).filter((name) => name.startsWith('LAZARUS_') && set(name) !== undefined)),
    // The token of a job is its own server's.
    tokenOrigin: originOf(set('LAZARUS_TOKEN_ORIGIN') ?? (isJob ? set('GITHUB_SERVER_URL') : undefined)),
  };
}

/** What is no address is no server that a token could be for. */
function originOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text).origin : undefined;
}
