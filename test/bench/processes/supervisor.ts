// A process that supervises idle cells, each with its listener, and beside them bare processes that are as idle. Does what it
// is told line by line, and tells when it is done. Ends when its standard input does.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import type { Cell } from '../../../src/ports/cells.ts';
import { freshManifest } from '../../support/manifests.ts';

export type Order = { readonly open: number; readonly what: 'cells' | 'bare' } | 'close' | 'end';

/** `alive`: how many had spoken and not ended when the last one spoke, or how many ended without leaving anything. */
export type Told = { readonly alive: number; readonly why: readonly string[]; readonly tookMs: number };

/** Whoever has said its word stays until it is ended. */
const IDLE = 'echo here; exec sleep 600';

const folder = process.argv[2]!;
const cells = await openCells({ folder, repositories: workRepositories, listen: (reach) => openListener(reach) });
const open: { readonly is: () => boolean; readonly end: () => Promise<boolean> }[] = [];
process.stdout.write('ready\n');

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order;
  const from = performance.now();
  const { alive, why } = order === 'close' || order === 'end' ? await closeAll() : await openMore(order);
  process.stdout.write(`${JSON.stringify({ alive, why, tookMs: performance.now() - from } satisfies Told)}\n`);
  if (order === 'end') break;
}
await closeAll();
process.exit(0);

async function openMore({ open: count, what }: Exclude<Order, string>): Promise<Omit<Told, 'tookMs'>> {
  const begun = await Promise.allSettled(Array.from({ length: count }, what === 'cells' ? openCell : openBare));
  for (const one of begun) if (one.status === 'fulfilled') open.push(one.value);
  const why = begun.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  return { alive: open.filter(({ is }) => is()).length, why };
}

async function closeAll(): Promise<Omit<Told, 'tookMs'>> {
  const ended = await Promise.allSettled(open.splice(0).map(({ end }) => end()));
  const why = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  return { alive: ended.filter((one) => one.status === 'fulfilled' && one.value).length, why };
}

async function openCell(): Promise<(typeof open)[number]> {
  const cellId = randomUUID();
  const cell: Cell = await cells.spawn({
    cellId,
    participant: 'agent',
    role: 'executor',
    epoch: 0,
    manifest: await freshManifest(cellId),
    project: null,
    command: { shellText: IDLE },
    requiredLevel: 2,
    reach: { hosts: [], routes: [] },
  });
  const state = { ended: false };
  void cell.exit.then(() => (state.ended = true));
  for await (const _ of cell.output) break;
  const end = async (): Promise<boolean> => Object.values(await cell.close()).every((left) => left === 0);
  return { is: () => !state.ended, end };
}

async function openBare(): Promise<(typeof open)[number]> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', IDLE], { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  await once(child.stdout!, 'data');
  const end = async (): Promise<boolean> => {
    child.kill('SIGKILL');
    await closed;
    return true;
  };
  return { is: () => child.exitCode === null && child.signalCode === null, end };
}
