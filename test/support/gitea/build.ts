// Turns a published Go module into one program: fetch, check its sum, copy, adjust, compile without cgo.
// Needs Go on PATH and the module registry, or Go's own download cache.
import { spawn } from 'node:child_process';
import { cpSync, chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GO_VERSION, type Recipe } from './recipe.ts';

export async function build(recipe: Recipe, into: string, say: (line: string) => void): Promise<void> {
  const source = mkdtempSync(join(tmpdir(), `lazarus-build-${recipe.program}-`));
  try {
    say(`fetching ${recipe.module} ${recipe.version}`);
    const module = await fetchModule(recipe);
    cpSync(module, source, { recursive: true });
    makeWritable(source);
    if (recipe.without !== undefined) takeAway(join(source, recipe.without.folder), recipe.without.prefix);
    if (recipe.moduleEdits.length > 0) await go(['mod', 'edit', ...recipe.moduleEdits], source);
    say(`building ${recipe.program} ${recipe.version}: minutes the first time`);
    const started = Date.now();
    const flags = ['-trimpath', '-ldflags', recipe.linkedIn, '-o', join(into, recipe.program)];
    await go(['build', ...flags, recipe.main], source, { GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0' });
    for (const folder of recipe.keeps) cpSync(join(source, folder), join(into, folder), { recursive: true });
    chmodSync(into, 0o755);
    say(`built ${recipe.program} in ${Math.round((Date.now() - started) / 1000)} s`);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

async function fetchModule({ module, version, sum }: Recipe): Promise<string> {
  const printed = await go(['mod', 'download', '-json', `${module}@${version}`], tmpdir());
  const { Dir, Sum } = JSON.parse(printed) as { Dir: string; Sum: string };
  if (Sum !== sum) throw new Error(`${module} ${version} has the sum ${Sum}, expected ${sum}`);
  return Dir;
}

async function go(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      env: { ...process.env, GOTOOLCHAIN: process.env['GOTOOLCHAIN'] ?? `go${GO_VERSION}+auto`, GOWORK: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', () => reject(new Error(`go was not found; install Go ${GO_VERSION} or newer`)));
    child.once('close', (status) => {
      if (status === 0) resolve(stdout);
      else reject(new Error(`go ${args[0]} failed:\n${(stderr || stdout).slice(-4000)}`));
    });
  });
}

/** Go keeps downloaded modules read-only. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o200);
  }
}

function takeAway(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
}
