// What a cell may use when nobody says otherwise, and how a process limits itself where there is no control group.
import type { CellLimits } from '../../ports/cells.ts';

export const DEFAULT_LIMITS: CellLimits = {
  wallMs: 4 * 60 * 60 * 1000,
  outputBytes: 8 << 20,
  memoryBytes: 2 * 1024 ** 3,
  pids: 512,
  cpus: 2,
  fileBytes: 2 * 1024 ** 3,
  openFiles: 4096,
  temporaryBytes: 256 << 20,
  diskBytes: 5 * 1024 ** 3,
};

/**
 * Limits that the command takes on itself inside, just before it becomes the participant's: outside they would count
 * all processes of the user, and bubblewrap could not start beside a busy desktop. They cannot be raised again.
 */
export function underLimits(argv: readonly string[], limits: CellLimits, memoryIsHeld: boolean): readonly string[] {
  const soft = [
    '--core=0:0',
    both('nofile', limits.openFiles),
    both('fsize', limits.fileBytes),
    both('nproc', limits.pids),
    // Counts per process, so it bounds each of them and not their sum.
    ...(memoryIsHeld ? [] : [both('data', limits.memoryBytes)]),
  ];
  return ['prlimit', ...soft, '--', ...argv];
}

function both(name: string, value: number): string {
  return `--${name}=${value}:${value}`;
}
