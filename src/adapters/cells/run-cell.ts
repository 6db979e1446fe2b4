// From a cell that began to what it came to: what it printed and reached, how it ended, and that nothing of it is left. Knows
// neither what runs in it nor why.
import type { Cell, CheckRun } from '../../ports/cells.ts';

type Watch = {
  /** Ends it when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** Beyond this nothing more is kept of what it prints. */
  readonly charactersMax?: number;
  /** Once it has ended, and before its folders go. */
  readonly onEnded?: () => Promise<void>;
};

export async function runCell(cell: Cell, { signal, charactersMax = Infinity, onEnded }: Watch): Promise<CheckRun> {
  const end = (): void => void cell.kill().catch(() => undefined);
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end, { once: true });
  let output = '';
  const read = (async () => {
    for await (const { text } of cell.output) if (output.length < charactersMax) output += text;
  })();
  try {
    const [{ code, reason }] = await Promise.all([cell.exit, read]);
    await onEnded?.();
    return {
      exitCode: reason === 'exited' ? code : null,
      reason,
      output,
      level: cell.level,
      reached: cell.network().reached,
      residue: await cell.close(),
    };
  } finally {
    signal?.removeEventListener('abort', end);
    await cell.close();
  }
}
