// Builds the worker once and runs it as real processes.
import { REQUIRE } from '../support/require.ts';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Wanted } from '../../src/app/append.ts';
import type { StartingLine } from '../adapters/git/appending.ts';
import type { WorkerOptions } from './worker.ts';

export type Worked = {
  readonly lines: readonly string[];
  readonly signal: string | null;
  readonly landed: readonly { readonly tx: string; readonly from: number; readonly attempts: number }[];
  readonly refused: readonly string[];
  readonly failed: readonly string[];
};

type Run = {
  readonly through?: readonly string[];
  readonly start?: StartingLine;
  readonly env?: NodeJS.ProcessEnv;
  /** Told of the process as soon as it runs. */
  readonly onStarted?: (child: { readonly pid?: number | undefined }) => void;
};

export async function work(folder: string, options: WorkerOptions, run: Run = {}): Promise<Worked> {
  const [command, ...args] = [
    ...(run.through ?? []),
    process.execPath,
    await program('worker'),
    folder,
    JSON.stringify(options),
  ];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...run.env } });
  child.stdin.on('error', () => undefined);
  run.onStarted?.(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (text.startsWith('ready')) void run.start?.reached(child).then(() => child.stdin.end('go\n'));
  });
  const signal = await new Promise<string | null>((resolve) => child.once('close', (_, by) => resolve(by)));
  const lines = text.split('\n').filter((line) => line !== '');
  const after = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
  const landed = after('landed ').map((line) => {
    const [tx = '', from, attempts] = line.split(' ');
    return { tx, from: Number(from), attempts: Number(attempts) };
  });
  return { lines, signal, landed, refused: after('refused '), failed: after('failed ') };
}

/** Notes that can be told apart afterwards: each carries its number as its size. */
export function numbered(count: number, from = 0): Wanted[] {
  return Array.from({ length: count }, (_, i) => ({
    event_type: 'note.recorded',
    payload: { bytes: from + i, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' },
  }));
}

/** An intent that has a name of its own, so that whoever tries it again meets what became of it. */
export function aTask(): Wanted & { readonly task_id: string } {
  return { event_type: 'task.created', payload: { contract: null }, task_id: randomUUID() };
}

const built = new Map<string, Promise<string>>();

/** One of the programs of this folder, as one file that node runs. */
export function program(name: string): Promise<string> {
  const known = built.get(name) ?? bundle(name);
  built.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-worker-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'worker.mjs');
  const entry = new URL(`${name}.ts`, import.meta.url).pathname;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // Some of the libraries are asked for by `require`.
    banner: { js: REQUIRE },
  });
  return outfile;
}
