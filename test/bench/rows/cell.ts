// How long until a participant's first instruction has run in a verified process cell, against starting the same
// program with nothing around it; and how much later it has with a listener, whose network was made ahead as after every
// cell that had one.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import type { Cell, Cells, CellSpec } from '../../../src/ports/cells.ts';
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
    const cells = await openCells({ folder, repositories: workRepositories, listen: (reach) => openListener(reach) });
    const probe = await cells.probe();
    if (probe.is === 'unfit')
      return [OVER_BARE, WITH_EGRESS].map((line) => ({ ...line, values: [], beside: probe.why }));
    bench.say('starting cells');
    const all = { cell: [] as number[], egress: [] as number[], bare: [] as number[] };
    const sampled = (name: keyof typeof all, one: () => Promise<number>) => async (): Promise<number> => {
      const each = await times(STARTS_PER_ROUND, one);
      all[name].push(...each);
      return median(each);
    };
    const took = await inRounds(bench.sizes.rounds, {
      cell: sampled('cell', () => inCell(cells)),
      egress: sampled('egress', () => inCell(cells, { hosts: [], routes: [] })),
      bare: sampled('bare', bare),
    });
    const lineOf = (line: typeof OVER_BARE | typeof WITH_EGRESS, name: 'cell' | 'egress'): Line => {
      const told = (one: keyof typeof all): string =>
        `${median(took[one]).toFixed(1)} ms (p95 ${quantile(all[one], 0.95).toFixed(1)})`;
      const beside = `cell ${told(name)}, bare ${told('bare')}, n = ${all[name].length}`;
      return { ...line, values: took[name].map((ms, i) => ms - took.bare[i]!), beside };
    };
    return [lineOf(OVER_BARE, 'cell'), lineOf(WITH_EGRESS, 'egress')];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OVER_BARE = { what: 'p50 over a bare spawn', unit: 'ms', budget: { atMost: 15 } } as const;
const WITH_EGRESS = { what: 'p50 over a bare spawn, with egress', unit: 'ms', budget: { atMost: 30 } } as const;

async function times(count: number, one: () => Promise<number>): Promise<number[]> {
  const each: number[] = [];
  for (let i = 0; i < count; i++) each.push(await one());
  return each;
}

/** From asking for a cell to the first word that its participant prints. */
async function inCell(cells: Cells, reach?: CellSpec['reach']): Promise<number> {
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
    ...(reach === undefined ? {} : { reach }),
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
