// Builds the appender once and runs it as real processes.
import { REQUIRE } from '../../support/require.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { AppenderOptions } from './appender.ts';

export type Appending = {
  readonly lines: readonly string[];
  readonly signal: string | null;
  readonly committed: readonly string[];
  readonly refused: readonly string[];
};

/** Holds processes back until all of them are ready, so that they really meet. */
export type StartingLine = { reached(runner: object): Promise<void> };

export function startingLine(runners: number): StartingLine {
  const ready = new Set<object>();
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached(runner) {
      if (ready.add(runner).size === runners) open();
      return opened;
    },
  };
}

let program: Promise<string> | undefined;

export async function append(
  folder: string,
  options: AppenderOptions,
  run: { readonly through?: readonly string[]; readonly start?: StartingLine } = {},
): Promise<Appending> {
  program ??= bundle();
  const [command, ...args] = [...(run.through ?? []), process.execPath, await program, folder, JSON.stringify(options)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (text.startsWith('ready')) void run.start?.reached(child).then(() => child.stdin.end('go\n'));
  });
  const signal = await new Promise<string | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  const lines = text.split('\n').filter((line) => line !== '');
  const after = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
  return { lines, signal, committed: after('committed '), refused: after('refused ') };
}

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-appender-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'appender.mjs');
  const entry = new URL('appender.ts', import.meta.url).pathname;
  const common = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' } as const;
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  await build({ ...common, entryPoints: [entry], outfile, banner: { js: REQUIRE } });
  return outfile;
}
