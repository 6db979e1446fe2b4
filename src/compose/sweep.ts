// Removes what killed supervisors left of their cells on this machine. Whoever lives keeps its own.
import type { ReasonCode } from '../reasons.ts';

/** What cannot be removed is told, and keeps nobody from what missions wait for. */
export async function sweepCells(env: NodeJS.ProcessEnv, told: (line: string) => void): Promise<void> {
  const [{ sweepAbandoned }, { cellsFolder }] = await Promise.all([
    import('../adapters/cells/abandoned.ts'),
    import('../adapters/cells/open-cells.ts'),
  ]);
  const folder = cellsFolder(env);
  await sweepAbandoned(folder).catch((cause: NodeJS.ErrnoException) => {
    told(`${'cell_residue' satisfies ReasonCode}: ${folder}: ${cause.code ?? cause.name}`);
  });
}
