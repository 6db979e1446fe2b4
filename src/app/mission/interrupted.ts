// Cells whose supervisor may be told to leave: they end at once then, and what was begun is handed over, so that another
// attempt can follow now and not when a lease is over. Isolates nothing itself, and knows no process.
import { Failure } from '../../failure.ts';
import type { Cell, Cells } from '../../ports/cells.ts';

/** `onEnd`: told for each cell that is ended. Nothing new begins once `leaving` is aborted. */
export function untilInterrupted(cells: Cells, leaving: AbortSignal, onEnd: () => void): Cells {
  return {
    probe: (...about) => cells.probe(...about),
    probeListener: () => cells.probeListener(),
    takeUp: (...laid) => cells.takeUp(...laid),
    discard: (...work) => cells.discard(...work),
    sweep: (...at) => cells.sweep(...at),
    async spawn(spec) {
      refuseInterrupted(leaving);
      const cell = await cells.spawn(spec);
      endOn(leaving, cell, onEnd);
      return cell;
    },
    async runCheck(spec) {
      refuseInterrupted(leaving);
      return cells.runCheck(spec);
    },
  };
}

function refuseInterrupted(leaving: AbortSignal): void {
  if (leaving.aborted) throw new Failure('interrupted');
}

function endOn(leaving: AbortSignal, cell: Cell, onEnd: () => void): void {
  const end = (): void => {
    onEnd();
    void cell.kill();
  };
  if (leaving.aborted) end();
  else leaving.addEventListener('abort', end, { once: true });
  void cell.exit.then(() => leaving.removeEventListener('abort', end));
}
