// Chooses what cells are made of on this machine. Nothing falls back to no isolation by itself: the caller has to
// allow it here, and to ask for level 0 once more when it starts one.
import type { Cells } from '../../ports/cells.ts';
import type { EnvironmentCache, Environments } from '../../ports/environments.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { makeCells } from './cells.ts';
import { plainBackend } from './plain/backend.ts';
import { environmentsIn } from './prepared/environments.ts';
import { processBackend } from './process/backend.ts';
import type { OpenDoor } from './reach.ts';

type Options = {
  /** A folder of ours for cells and their work; as root one that other users may pass. */
  readonly folder: string;
  readonly repositories: WorkRepositories;
  /** Answers on the listeners of cells. */
  readonly listen?: OpenDoor;
};

export async function openCells(options: Options & { readonly allowLevel0?: boolean }): Promise<Cells> {
  const { folder } = options;
  const cells = makeCells({ ...options, backend: processBackend(folder) });
  if (options.allowLevel0 !== true || (await cells.probe()).is === 'fit') return cells;
  return makeCells({ ...options, backend: plainBackend() });
}

/** What was prepared for cells in this folder. Nothing is prepared without namespaces, whatever cells may do. */
export function openEnvironments(options: Options): Environments & EnvironmentCache {
  return environmentsIn({ ...options, backend: processBackend(options.folder) });
}

/** As root, cells must not lie below /root, which their own users cannot pass. */
export function cellsFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.geteuid?.() === 0) return '/var/lib/lazarus';
  return `${env['XDG_STATE_HOME'] ?? `${env['HOME'] ?? ''}/.local/state`}/lazarus`;
}
