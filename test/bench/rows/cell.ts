// How long until a participant's first instruction has run in a verified process cell, against starting the same
// program with nothing around it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { Cell, Cells } from '../../../src/ports/cells.ts';
import { freshManifest } from '../../support/manifests.ts';
import type { Bench } from '../bench.ts';
import { inRounds, median, quantile } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const cellSpawn: Row = { name: 'process cell', run };

const STARTS_PER_ROUND = 7;

async function run(bench: Bench): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-bench-cells-'));
  chmodSync(folder, 0o711);
  try {
    const cells = await openCells({ folder, repositories: workRepositories });
    const probe = await cells.probe();
    if (probe.is === 'unfit') return [{ ...OVER_BARE, values: [], beside: probe.why }];
    bench.say('starting cells');
    const [all, bares]: [number[], number[]] = [[], []];
    const took = await inRounds(bench.sizes.rounds, {
      cell: async () => {
        const each = await times(STARTS_PER_ROUND, () => inCell(cells));
        all.push(...each);
        return median(each);
      },
      bare: async () => {
        const each = await times(STARTS_PER_ROUND, bare);
        bares.push(...each);
        return median(each);
      },
    });
    const over = took.cell.map((ms, i) => ms - took.bare[i]!);
    const [p95, bareP95] = [all, bares].map((each) => quantile(each, 0.95).toFixed(1));
    const beside = `cell ${median(took.cell).toFixed(1)} ms (p95 ${p95}), bare ${median(took.bare).toFixed(1)} ms (p95 ${bareP95}), n = ${all.length}`;
    return [{ ...OVER_BARE, values: over, beside }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OVER_BARE = { what: 'p50 over a bare spawn', unit: 'ms', budget: { atMost: 15 } } as const;

async function times(count: number, one: () => Promise<number>): Promise<number[]> {
  const each: number[] = [];
  for (let i = 0; i < count; i++) each.push(await one());
  return each;
}

/** From asking for a cell to the first word that its participant prints. */
async function inCell(cells: Cells): Promise<number> {
  const cellId = randomUUID();
  const manifest = await freshManifest(cellId);
  const from = performance.now();
  const cell: Cell = await cells.spawn({
    cellId,
    participant: 'agent',
    role: 'executor',
    epoch: 0,
    manifest,
    project: null,
    command: { argv: ['echo', 'here'] },
    requiredLevel: 2,
  });
  for await (const _ of cell.output) break;
  const took = performance.now() - from;
  await cell.close();
  return took;
}

function bare(): Promise<number> {
  const from = performance.now();
  const child = spawn('echo', ['here'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve) => child.stdout.once('data', () => resolve(performance.now() - from)));
}
