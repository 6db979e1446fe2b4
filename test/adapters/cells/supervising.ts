// Builds the supervisor once and runs it as real processes.
import { REQUIRE } from '../../support/require.ts';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { SupervisorOptions } from './supervisor.ts';

export type Told = Readonly<Record<string, unknown>> & { readonly is: string };
type How = {
  readonly env?: NodeJS.ProcessEnv;
  /** Descriptors by number, from 3 on. */
  readonly descriptors?: Readonly<Record<number, number>>;
  /** A program that starts the supervisor, and its arguments. */
  readonly through?: readonly string[];
};
export type Supervisor = {
  readonly child: ChildProcess;
  /** Resolves with the first thing of this kind that is told. */
  readonly told: (is: string) => Promise<Told>;
  readonly all: Promise<readonly Told[]>;
};

/** To be called once per test file. */
export function supervising(): (folder: string, options: SupervisorOptions, how?: How) => Supervisor {
  let built = '';
  beforeAll(async () => {
    // Below the project, for its dependencies; readable by whomever it becomes.
    const root = tmpdir();
    built = mkdtempSync(join(root, 'supervisor-'));
    chmodSync(built, 0o755);
    await build({
      entryPoints: [new URL('supervisor.ts', import.meta.url).pathname],
      outfile: join(built, 'supervisor.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      external: ['vitest'],
      // zod is bundled: an ordinary user may not be able to read the project.
      banner: { js: REQUIRE },
    });
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  return (folder, options, how = {}) => {
    const stdio: (string | number)[] = ['ignore', 'pipe', 'inherit'];
    for (const [fd, from] of Object.entries(how.descriptors ?? {})) stdio[Number(fd)] = from;
    for (let fd = 3; fd < stdio.length; fd++) stdio[fd] ??= 'ignore';
    const [command, ...args] = [...(how.through ?? []), process.execPath, join(built, 'supervisor.mjs'), folder];
    const child = spawn(command, [...args, JSON.stringify(options)], {
      stdio: stdio as StdioOptions,
      env: how.env ?? process.env,
    });
    return listen(child);
  };
}

function listen(child: ChildProcess): Supervisor {
  const heard: Told[] = [];
  const waiting: (() => void)[] = [];
  let text = '';
  const state = { over: false };
  const wake = (): void => waiting.splice(0).forEach((go) => go());
  child.stdout!.setEncoding('utf8').on('data', (more: string) => {
    const lines = (text + more).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) heard.push(JSON.parse(line) as Told);
    wake();
  });
  child.once('close', () => {
    state.over = true;
    wake();
  });
  const next = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  return {
    child,
    async told(is) {
      for (;;) {
        const found = heard.find((one) => one.is === is);
        if (found !== undefined) return found;
        if (state.over) throw new Error(`the supervisor never told of "${is}": ${JSON.stringify(heard)}`);
        await next();
      }
    },
    all: (async () => {
      while (!state.over) await next();
      return heard;
    })(),
  };
}
