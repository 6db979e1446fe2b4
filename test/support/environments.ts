// Prepared environments for tests: packages of our own, as npm and pip know them, and the cache in a scratch folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { openCells, openEnvironments } from '../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../src/adapters/git/work.ts';
import { openListener } from '../../src/adapters/listener/listener.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { Environment } from '../../src/kernel/policy/environment.ts';
import type { Cells, CheckRun } from '../../src/ports/cells.ts';
import type {
  EnvironmentCache,
  Environments,
  FoundEnvironment,
  Mounted,
  PreparingCell,
} from '../../src/ports/environments.ts';
import type { Reach } from '../../src/ports/network.ts';
import { passableScratch, project } from './cells.ts';

export type Workshop = {
  readonly folder: string;
  readonly cells: Cells;
  readonly environments: Environments & EnvironmentCache;
};

export async function workshop(): Promise<Workshop> {
  const folder = passableScratch();
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const listen = (reach: Reach) => openListener(reach, { resolve });
  const at = { folder, repositories: workRepositories, listen };
  return { folder, cells: await openCells(at), environments: openEnvironments(at) };
}

export type Wanted = {
  readonly environment: z.input<typeof Environment>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly at?: 'project' | 'agent';
};

type Made = {
  /** The key's digits: the name of its folder. */
  readonly name: string;
  readonly found: FoundEnvironment;
  readonly run: CheckRun;
  readonly mounted: () => Promise<Mounted>;
};

/** Prepares it, whether or not it is there already. */
export async function prepare({ environments }: Workshop, wanted: Wanted, signal?: AbortSignal): Promise<Made> {
  const environment = Environment.parse(wanted.environment);
  const base = project({ 'own.txt': 'x', ...wanted.files });
  const found = await environments.find({
    name: 'test',
    environment,
    project: base,
    origin: 'base',
    caFile: null,
    at: wanted.at ?? 'project',
  });
  const run = await environments.prepare(found, { ...PREPARING, cellId: randomUUID(), ...(signal && { signal }) });
  return { name: found.key.replace('sha256:', ''), found, run, mounted: () => environments.mount([found]) };
}

export const PREPARING: Omit<PreparingCell, 'cellId'> = {
  requiredLevel: 2,
  requiredLimits: { cpu: 'none', memory: 'none', processes: 'none' },
  canaries: [],
  signal: new AbortController().signal,
};

/** One that a shell text makes: the quickest there is. */
export function made(shellText: string, changes: Readonly<Record<string, unknown>> = {}): Wanted {
  return { environment: { prepare: [['/bin/sh', '-c', shellText]], makes: ['deps'], ...changes } };
}

/** What `npm pack` would make of these files. */
export function npmPackage(name: string, files: Readonly<Record<string, string>>): Uint8Array {
  const manifest = JSON.stringify({ name, version: '1.0.0', main: 'index.js' });
  const inside = Object.entries({ 'package.json': manifest, ...files }).map(([path, text]) => [
    `package/${path}`,
    text,
  ]);
  return packed(Object.fromEntries(inside), ['tar', '-czf', 'packed', 'package']);
}

/** The file `packed` that a command makes of these files; any moment, so that a server can be given it before a test begins. */
function packed(files: Readonly<Record<string, string>>, [program, ...args]: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-packed-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    execFileSync(program!, args, { cwd: folder });
    return readFileSync(join(folder, 'packed'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An npm project with one dependency that lies in the tree, and the lock file that goes with it. */
export function npmProject(tarball: Uint8Array, name = 'dep'): Readonly<Record<string, string | Uint8Array>> {
  const file = `file:vendor/${name}.tgz`;
  const root = { name: 'app', version: '1.0.0', dependencies: { [name]: file } };
  const integrity = `sha512-${Buffer.from(nodeCrypto.hash('sha512', tarball)).toString('base64')}`;
  const packages = {
    '': root,
    [`node_modules/${name}`]: { version: '1.0.0', resolved: file, integrity, hasInstallScript: true },
  };
  return {
    'package.json': JSON.stringify(root),
    'package-lock.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages,
    }),
    [`vendor/${name}.tgz`]: tarball,
  };
}

/** As `policy add-environment --detect` writes it, but for the file in the tree. */
export const NPM = {
  files: ['package.json', 'package-lock.json', 'vendor/dep.tgz'],
  prepare: [['npm', 'ci', '--no-audit', '--no-fund']],
  makes: ['node_modules'],
  writable: ['node_modules/.cache'],
  path: ['node_modules/.bin'],
};

/** A wheel as pip knows it: a zip with one module and the three files that describe it. */
export function wheel(name: string, text: string): { readonly file: string; readonly bytes: Uint8Array } {
  const about = `${name}-1.0.dist-info`;
  const files: Readonly<Record<string, string>> = {
    [`${name}.py`]: text,
    [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${about}/RECORD`]: [`${name}.py`, ...['METADATA', 'WHEEL', 'RECORD'].map((one) => `${about}/${one}`)]
      .map((path) => `${path},,\n`)
      .join(''),
  };
  const bytes = packed(files, ['python3', '-m', 'zipfile', '-c', 'packed', `${name}.py`, about]);
  return { file: `${name}-1.0-py3-none-any.whl`, bytes };
}
