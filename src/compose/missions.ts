// Builds what missions need on this machine: the project verified, cells, seeds' keys, executors. Loaded only by commands
// that work on missions.
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workRepositories } from '../adapters/git/work.ts';
import { runLocks } from '../adapters/state/run-locks.ts';
import { canariesIn } from '../app/mission/canaries.ts';
import type { UntilNextLook } from '../app/mission/lookout.ts';
import { worldAround, type MissionWorld } from '../app/mission/world.ts';
import type { ExposedTo } from '../kernel/policy/exposure.ts';
import type { Running } from '../app/mission/run.ts';
import { knownProject } from '../app/project-fold.ts';
import type { Workbench } from '../app/workbench.ts';
import type { App } from './app.ts';
import { openSecrets } from './secrets.ts';
import type { RunLocks } from '../ports/run-lock.ts';

/** `genesis`: the project's first event, where somebody outside said which. */
export async function missionWorld(
  app: Pick<App, 'artifacts'>,
  bench: Workbench,
  watch: { readonly genesis?: string } = {},
): Promise<MissionWorld> {
  const work = { repositories: workRepositories, source: dirname(bench.parts.repository.stateDir) };
  return worldAround({ bench, kit: await app.artifacts(), project: await knownProject(bench, watch), work });
}

export type CellChoice = {
  readonly env: NodeJS.ProcessEnv;
  /** Only for our own example, and said loudly. */
  readonly allowLevel0?: boolean;
  readonly cells?: string;
  /** Nobody, unless whoever asks says who: on a person's own computer. */
  readonly exposedTo?: ExposedTo;
};

export async function runningOf(bench: Workbench, choice: CellChoice): Promise<Running> {
  // Whoever only looks at missions runs no cell, and does not wait for what does.
  const [
    { cellsFolder, openCells, openEnvironments },
    { listening },
    { seedKeys },
    { openpgpMessages: messages },
    { nodeCrypto },
  ] = await Promise.all([
    import('../adapters/cells/open-cells.ts'),
    import('./listening.ts'),
    import('../adapters/keys/memory-keys.ts'),
    import('../adapters/keys/messages.ts'),
    import('../adapters/system/node-crypto.ts'),
  ]);
  const { stateDir } = bench.parts.repository;
  const folder = choice.cells ?? cellsFolder(choice.env);
  const place = { folder, repositories: workRepositories, listen: listening };
  return {
    cells: await openCells({
      ...place,
      ...(choice.allowLevel0 === undefined ? {} : { allowLevel0: choice.allowLevel0 }),
    }),
    repositories: workRepositories,
    seedKeys: seedKeys(nodeCrypto),
    messages,
    source: dirname(stateDir),
    mirror: join(stateDir, 'mirror.git'),
    canaries: canariesIn(choice.env),
    environments: openEnvironments(place),
    secrets: openSecrets(choice.env),
    exposedTo: choice.exposedTo ?? null,
    untilNextLook: rhythm(bench.place.isFar ? LOOK_FAR_MS : LOOK_HERE_MS),
    untilNextBeacon: rhythm(BEACON_MS),
  };
}

/** One reference of this repository; of a remote, as often as a heartbeat. */
const LOOK_HERE_MS = 1000;
const LOOK_FAR_MS = 15_000;
/** Each is a push. Three in a row may get lost before anybody calls it silence. */
const BEACON_MS = 60_000;

function rhythm(everyMs: number): UntilNextLook {
  return (over) => pause(everyMs, undefined, { signal: over }).catch(() => undefined);
}

export function runLocksOf(bench: Workbench): RunLocks {
  return runLocks(join(bench.parts.repository.stateDir, 'runs'));
}
