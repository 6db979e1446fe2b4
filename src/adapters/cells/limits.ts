// What a cell may use when nobody says otherwise, and how a process limits itself where there is no control group.
import type { CellHolds, CellLimits } from '../../ports/cells.ts';

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
 * What each kind of fence holds. Without control groups memory is watched by what is resident, which a file in memory
 * escapes; processes limit themselves; and nothing limits processor time.
 */
export const HOLDS: Readonly<Record<'hard' | 'soft' | 'none', CellHolds>> = {
  hard: { cpu: 'hard', memory: 'hard', processes: 'hard' },
  soft: { cpu: 'none', memory: 'soft', processes: 'soft' },
  none: { cpu: 'none', memory: 'none', processes: 'none' },
};

/** Those of the limits that something holds a cell to. */
export function limitsHeld({ cpus, memoryBytes, pids, ...rest }: CellLimits, holds: CellHolds): Partial<CellLimits> {
  return {
    ...rest,
    ...(holds.cpu === 'none' ? {} : { cpus }),
    ...(holds.memory === 'none' ? {} : { memoryBytes }),
    ...(holds.processes === 'none' ? {} : { pids }),
  };
}

/** Whether a cell is held at least as firmly as was said of it before. */
export function isHeld(holds: CellHolds, said: CellHolds): boolean {
  const firmness = ['none', 'soft', 'hard'];
  return (['cpu', 'memory', 'processes'] as const).every(
    (what) => firmness.indexOf(holds[what]) >= firmness.indexOf(said[what]),
  );
}

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
