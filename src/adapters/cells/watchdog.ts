// Looks after what no limit of the kernel's covers: the memory of all processes together where there is no control
// group, and the disk, for which there is none at all.
import { readFileSync } from 'node:fs';
import type { CellExit, CellLimits } from '../../ports/cells.ts';
import { FREE_BYTES_MIN } from '../../ports/host.ts';
import { freeBytes } from '../system/host.ts';
import { runProgram } from '../system/run-program.ts';
import { processesIn } from './process/namespaces.ts';

const EVERY_MS = 1000;
const PAGE_BYTES = 4096;
const MEASURE_TIMEOUT_MS = 60_000;

export function watchdog(
  watched: {
    readonly limits: CellLimits;
    readonly pidNamespace: string | undefined;
    readonly memoryIsHeld: boolean;
    readonly root: string;
    /** On the disk of `root`, before the cell could take any of it. */
    readonly freeAtFirst: number;
  },
  end: (reason: CellExit['reason']) => void,
): () => void {
  const { limits, pidNamespace, memoryIsHeld, root, freeAtFirst } = watched;
  let measuring = false;
  const timer = setInterval(() => {
    if (!memoryIsHeld && pidNamespace !== undefined && residentBytes(pidNamespace) > limits.memoryBytes)
      end('memory_limit');
    if (measuring) return;
    measuring = true;
    void tooBig(root, freeAtFirst, limits.diskBytes)
      // A disk that does not even answer is full for whoever writes to it.
      .catch(() => true)
      .then((is) => {
        measuring = false;
        if (is) end('disk_limit');
      });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Free space is cheap to ask for and counts everybody; only when it shrank by so much is the cell itself measured. */
async function tooBig(root: string, freeAtFirst: number, bytesMax: number): Promise<boolean> {
  const free = await freeBytes(root);
  if (freeAtFirst - free < bytesMax && free > FREE_BYTES_MIN) return false;
  const used = await usedBytes(root);
  return used > bytesMax || (free < FREE_BYTES_MIN && used > FREE_BYTES_MIN / 2);
}

/** A folder that cannot be measured counts as full: a cell may have closed it on purpose. */
async function usedBytes(root: string): Promise<number> {
  const env = { PATH: process.env['PATH'] };
  const args = ['-s', '-x', '-B1', '--', root];
  const ran = await runProgram({ program: 'du', args, cwd: '/', env, timeoutMs: MEASURE_TIMEOUT_MS });
  if (ran.is !== 'ended' || ran.exitCode !== 0) return Number.POSITIVE_INFINITY;
  return Number.parseInt(ran.stdout.toString('latin1'), 10);
}

function residentBytes(pidNamespace: string): number {
  let pages = 0;
  for (const pid of processesIn(pidNamespace)) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    } catch {
      // Ended between being listed and being looked at.
    }
  }
  return pages * PAGE_BYTES;
}
