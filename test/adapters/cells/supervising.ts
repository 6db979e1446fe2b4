// Builds the supervisor once and runs it as real processes.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { SupervisorOptions } from './supervisor.ts';

export type Told = Readonly<Record<string, unknown>> & { readonly is: string };
export type Supervisor = {
  readonly child: ChildProcess;
  /** Resolves with the first thing of this kind that is told. */
  readonly told: (is: string) => Promise<Told>;
  readonly all: Promise<readonly Told[]>;
};

/** To be called once per test file. */
export function supervising(): (
  folder: string,
  options: SupervisorOptions,
  how?: { readonly env?: NodeJS.ProcessEnv; readonly stdio?: readonly (number | 'ignore' | undefined)[] },
) => Supervisor {
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
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  return (folder, options, how = {}) => {
    const stdio = ['ignore', 'pipe', 'inherit', ...(how.stdio ?? [])] as StdioOptions;
    const args = [join(built, 'supervisor.mjs'), folder, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio, env: how.env ?? process.env });
    return listen(child);
  };
}

function listen(child: ChildProcess): Supervisor {
  const heard: Told[] = [];
  const waiting: (() => void)[] = [];
  let text = '';
  let over = false;
  const wake = (): void => waiting.splice(0).forEach((go) => go());
  child.stdout!.setEncoding('utf8').on('data', (more: string) => {
    const lines = (text + more).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) heard.push(JSON.parse(line) as Told);
    wake();
  });
  child.once('close', () => {
    over = true;
    wake();
  });
  const next = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  return {
    child,
    async told(is) {
      for (;;) {
        const found = heard.find((one) => one.is === is);
        if (found !== undefined) return found;
        if (over) throw new Error(`the supervisor never told of "${is}": ${JSON.stringify(heard)}`);
        await next();
      }
    },
    all: (async () => {
      while (!over) await next();
      return heard;
    })(),
  };
}
