// How much longer a check's cell takes to its first word with a prepared environment of a thousand files than without one:
// the seal is compared, a place is made and the mount is bound.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCells, openEnvironments } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { Environment } from '../../../src/kernel/policy/environment.ts';
import type { Cells, ProjectBase } from '../../../src/ports/cells.ts';
import type { Mounted } from '../../../src/ports/environments.ts';
import { PREPARING } from '../../support/environments.ts';
import { freshManifest } from '../../support/manifests.ts';
import { git } from '../../support/repos.ts';
import type { Bench } from '../bench.ts';
import { inRounds, median } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const preparedEnvironment: Row = { name: 'prepared environment', run };

const STARTS_PER_ROUND = 7;
const FOLDERS = 100;
const FILES_EACH = 10;
const MAKE = `for d in $(seq ${FOLDERS}); do mkdir -p deps/$d; for f in $(seq ${FILES_EACH}); do echo $f > deps/$d/$f; done; done`;

async function run(bench: Bench): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-bench-prepared-'));
  chmodSync(folder, 0o711);
  try {
    const place = { folder, repositories: workRepositories };
    const cells = await openCells(place);
    const probe = await cells.probe();
    if (probe.is === 'unfit') return [{ ...OVER_NONE, values: [], beside: probe.why }];
    const base = smallProject(join(folder, 'project'));
    const mounted = await prepared(place, base);
    bench.say('starting cells with and without an environment');
    const start = (given: Partial<Mounted>) => async (): Promise<number> => {
      const each: number[] = [];
      for (let i = 0; i < STARTS_PER_ROUND; i++) each.push(await inCell(cells, base, given));
      return median(each);
    };
    const took = await inRounds(bench.sizes.rounds, { environment: start(mounted), none: start({}) });
    const over = took.environment.map((ms, i) => ms - took.none[i]!);
    const beside = `${FOLDERS * FILES_EACH} files: ${median(took.environment).toFixed(1)} ms, none ${median(took.none).toFixed(1)} ms`;
    return [{ ...OVER_NONE, values: over, beside }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OVER_NONE = { what: 'p50 over a cell with none', unit: 'ms', budget: { atMost: 10 } } as const;

function smallProject(folder: string): ProjectBase {
  mkdirSync(folder);
  git(folder, ['init', '-q', '.']);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git(folder, ['add', 'a.txt']);
  git(folder, ['commit', '-q', '-m', 'base']);
  return { repository: join(folder, '.git'), commit: git(folder, ['rev-parse', 'HEAD']) };
}

async function prepared(place: Parameters<typeof openEnvironments>[0], base: ProjectBase): Promise<Mounted> {
  const environments = openEnvironments(place);
  const environment = Environment.parse({ prepare: [['/bin/sh', '-c', MAKE]], makes: ['deps'] });
  const wanted = { name: 'bench', environment, project: base, origin: 'base', caFile: null, at: 'project' } as const;
  const found = await environments.find(wanted);
  await environments.prepare(found, { ...PREPARING, cellId: randomUUID() });
  return environments.mount([found]);
}

/** From asking for a cell to the first word that its participant prints. */
async function inCell(cells: Cells, base: ProjectBase, mounted: Partial<Mounted>): Promise<number> {
  const cellId = randomUUID();
  const manifest = await freshManifest(cellId);
  const from = performance.now();
  const cell = await cells.spawn({
    cellId,
    participant: 'agent',
    role: 'executor',
    epoch: 0,
    manifest,
    project: base,
    command: { argv: ['echo', 'here'] },
    requiredLevel: 2,
    ...mounted,
  });
  for await (const _ of cell.output) break;
  const took = performance.now() - from;
  await cell.close();
  return took;
}
