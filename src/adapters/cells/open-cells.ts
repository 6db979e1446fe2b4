// Chooses what cells are made of on this machine. Nothing falls back to no isolation by itself: the caller has to
// allow it here, and to ask for level 0 once more when it starts one.
import type { Cells } from '../../ports/cells.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { makeCells } from './cells.ts';
import { plainBackend } from './plain/backend.ts';
import { processBackend } from './process/backend.ts';
import type { OpenDoor } from './reach.ts';

export async function openCells(options: {
  /** A folder of ours for cells and their work; as root one that other users may pass. */
  readonly folder: string;
  readonly repositories: WorkRepositories;
  readonly allowLevel0?: boolean;
  /** Answers on the listeners of cells. */
  readonly listen?: OpenDoor;
}): Promise<Cells> {
  const { folder } = options;
  const cells = makeCells({ ...options, backend: processBackend(folder) });
  if (options.allowLevel0 !== true || (await cells.probe()).is === 'fit') return cells;
  return makeCells({ ...options, backend: plainBackend() });
}

/** As root, cells must not lie below /root, which their own users cannot pass. */
export function cellsFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.geteuid?.() === 0) return '/var/lib/lazarus';
  return `${env['XDG_STATE_HOME'] ?? `${env['HOME'] ?? ''}/.local/state`}/lazarus`;
}
