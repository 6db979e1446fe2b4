// Fifty cells at once: whether each comes to life beside all others and leaves nothing, how long that takes beside fifty bare
// processes, and what memory their supervisor holds for each. And the same for few: what one idle cell costs it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { inRounds, median, ratios } from '../measure.ts';
import { heldBytes } from '../memory.ts';
import type { Order, Told } from '../processes/supervisor.ts';
import { spawnBeside } from '../processes/spawned.ts';
import type { Line, Row } from '../row.ts';

export const manyCells: Row = { name: '50 concurrent cells', run: runMany };
export const idleCell: Row = { name: 'idle cell', run: runIdle };

const MEGABYTE = 1e6;

const ALIVE = { what: 'alive at once, and gone without a trace', unit: '%', budget: { atLeast: 100 } } as const;
const OVER_BARE = { what: 'from the first start to the last end, of bare processes', unit: '×' } as const;
const PER_CELL = { what: 'the supervisor, per cell', unit: 'MB', budget: { atMost: 60 } } as const;

async function runMany(bench: Bench): Promise<readonly Line[]> {
  const { cells: count, rounds } = bench.sizes;
  const supervisor = await supervising(bench);
  const good: number[] = [];
  const held: number[] = [];
  const failures: string[] = [];
  bench.say(`starting ${count} cells at once`);
  const all = (what: 'cells' | 'bare') => async (): Promise<number> => {
    const before = heldBytes(supervisor.pid);
    const opened = await supervisor.told({ open: count, what });
    if (what === 'cells') held.push((heldBytes(supervisor.pid) - before) / count / MEGABYTE);
    const closed = await supervisor.told('close');
    failures.push(...opened.why, ...closed.why);
    if (what === 'cells') good.push((100 * Math.min(opened.alive, closed.alive)) / count);
    return opened.tookMs + closed.tookMs;
  };
  const took = await inRounds(rounds, { cells: all('cells'), bare: all('bare') });
  await supervisor.end();
  const seconds = (ms: readonly number[]): string => `${(median(ms) / 1000).toFixed(2)} s`;
  const failed = failures.length === 0 ? 'none failed' : `${failures.length} failed, the first: ${failures[0]}`;
  return [
    // One that failed once failed.
    {
      ...ALIVE,
      values: [Math.min(...good)],
      beside: `${count} cells with a listener each, ${good.length} times; ${failed}`,
    },
    {
      ...OVER_BARE,
      values: ratios(took.cells, took.bare),
      needsQuiet: true,
      beside: `cells ${seconds(took.cells)}, bare ${seconds(took.bare)}`,
    },
    { ...PER_CELL, values: held, beside: 'beyond what it held before; its helpers on the host included' },
  ];
}

async function runIdle(bench: Bench): Promise<readonly Line[]> {
  const { idleCells: count, rounds } = bench.sizes;
  const each: number[] = [];
  const one: number[] = [];
  const none: number[] = [];
  bench.say('holding idle cells');
  for (let round = 0; round < rounds; round++) {
    const supervisor = await supervising(bench);
    none.push(heldBytes(supervisor.pid) / MEGABYTE);
    await supervisor.all(1);
    one.push(heldBytes(supervisor.pid) / MEGABYTE);
    await supervisor.all(count - 1);
    each.push((heldBytes(supervisor.pid) / MEGABYTE - one.at(-1)!) / (count - 1));
    await supervisor.end();
  }
  const beside = `with a listener each; ${count} cells, and one`;
  return [
    { ...PER_CELL, values: each, beside },
    { what: 'the whole supervisor with one', unit: 'MB', values: one, beside: `${median(none).toFixed(0)} MB before` },
  ];
}

async function supervising(bench: Bench) {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-bench-many-'));
  chmodSync(folder, 0o711);
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { line, say, end, pid } = spawnBeside(bench, 'supervisor', [folder]);
  await line();
  const told = async (order: Order): Promise<Told> => {
    say(JSON.stringify(order));
    return JSON.parse(await line()) as Told;
  };
  return {
    pid,
    told,
    async all(open: number): Promise<void> {
      const { why } = await told({ open, what: 'cells' });
      if (why.length > 0) throw new Error(why[0]);
    },
    async end(): Promise<void> {
      await told('end');
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
