// Cells for tests: a project in a repository of our own and a backend of the real kind.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { openCells } from '../../src/adapters/cells/open-cells.ts';
import type { OpenDoor } from '../../src/adapters/cells/reach.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import { openListener } from '../../src/adapters/listener/listener.ts';
import { openRoutes } from '../../src/adapters/listener/route.ts';
import type { Cell, CellExit, CellSpec, Cells, ProjectBase } from '../../src/ports/cells.ts';
import { freshManifest } from './manifests.ts';
import { git, scratch } from './repos.ts';

/** A scratch folder that the user of a cell can pass, as /var/lib/lazarus is. */
export function passableScratch(): string {
  const folder = scratch('cells');
  chmodSync(folder, 0o711);
  return folder;
}

type ListenerParts = Parameters<typeof openListener>[1];

export async function testCells(folder = passableScratch(), parts: ListenerParts = {}): Promise<Cells> {
  return openCells({ folder, repositories: workRepositories, listen: (reach) => openListener(reach, parts) });
}

/** Routes and hosts as they are, but for names: each means this machine. */
export const onLoopback: OpenDoor = (reach, end) => {
  const routes = openRoutes({ ...reach, onCut: () => end('route_limit') });
  return openListener(reach, { places: [routes], resolve: () => Promise.resolve(['127.0.0.1']) });
};

/** A bare repository of the host's with one commit of these files. */
export function project(files: Readonly<Record<string, string | Uint8Array>>): ProjectBase {
  const work = scratch('project');
  git(work, ['init', '-q', '-b', 'main', '.']);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  git(work, ['add', '-A', '-f']);
  git(work, ['commit', '-q', '-m', 'base']);
  return { repository: join(work, '.git'), commit: git(work, ['rev-parse', 'HEAD']) };
}

export type Ran = { readonly cell: Cell; readonly out: string; readonly err: string; readonly exit: CellExit };

export async function spawnIn(cells: Cells, changes: Partial<CellSpec>): Promise<Cell> {
  const cellId = changes.cellId ?? randomUUID();
  return cells.spawn({
    cellId,
    participant: 'agent',
    role: 'executor',
    epoch: 0,
    project: null,
    requiredLevel: 2,
    manifest: changes.manifest ?? (await freshManifest(cellId)),
    command: { argv: ['true'] },
    ...changes,
  });
}

/** Runs a shell text in a fresh cell to its end; the caller closes it. */
export async function runIn(cells: Cells, shellText: string, changes: Partial<CellSpec> = {}): Promise<Ran> {
  const cell = await spawnIn(cells, { command: { shellText }, ...changes });
  const said = { stdout: '', stderr: '' };
  const read = (async () => {
    for await (const { stream, text } of cell.output) said[stream] += text;
  })();
  const exit = await cell.exit;
  await read;
  return { cell, out: said.stdout, err: said.stderr, exit };
}
