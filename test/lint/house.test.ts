// The boundaries that docs/architecture.md claims, each tried: a tree of the same shape in which every file breaks one of
// them, and one in which nothing does, under the project's own configuration of the linter.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/repos.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OXLINT = join(ROOT, 'node_modules/.bin/oxlint');
const HOUSE = 'house(imports)';
const GLOBAL = 'eslint(no-restricted-globals)';
const PROPERTY = 'eslint(no-restricted-properties)';

/** Where a file would lie, what stands in it, and the rule that says no. */
const REFUSED: readonly (readonly [where: string, text: string, rule: string])[] = [
  // The format knows no rules, the kernel knows no bytes on disk, neither knows the outside.
  ['src/format/git', "import { a } from '../../kernel/state.ts';", HOUSE],
  ['src/format', "import { a } from 'zod';", HOUSE],
  ['src/format', "import { a } from 'node:crypto';", HOUSE],
  ['src/kernel/mission', "import { a } from '../../ledger/tip.ts';", HOUSE],
  ['src/kernel', "import { a } from '../app/place.ts';", HOUSE],
  ['src/kernel', "import { a } from '../documents/yaml.ts';", HOUSE],
  ['src/kernel', "import { a } from 'node:fs';", HOUSE],
  ['src/kernel', "import { a } from 'fs/promises';", HOUSE],
  ['src/kernel', "import { a } from 'yaml';", HOUSE],
  ['src/ledger', "import { a } from '../ports/repository.ts';", HOUSE],
  ['src/ledger', "import { a } from '../adapters/git/git.ts';", HOUSE],
  ['src/ledger', "import { a } from '../documents/yaml.ts';", HOUSE],
  ['src/ledger', "import { a } from 'node:crypto';", HOUSE],
  ['src/documents', "import { a } from 'node:fs';", HOUSE],
  ['src/documents', "import { a } from '../ledger/tip.ts';", HOUSE],
  ['src/forge-text', "import { a } from '../ledger/tip.ts';", HOUSE],
  ['src/forge-text', "import { a } from '../documents/yaml.ts';", HOUSE],
  ['src/forge-text', "import { a } from 'node:fs';", HOUSE],
  ...['format', 'kernel', 'ledger', 'documents', 'forge-text', 'ports'].flatMap((name) => [
    [`src/${name}`, 'export const a = () => Date.now();', GLOBAL] as const,
    [`src/${name}`, 'export const a = () => process.env;', GLOBAL] as const,
    [`src/${name}`, "export const a = () => fetch('http://a');", GLOBAL] as const,
    [`src/${name}`, 'export const a = () => globalThis;', GLOBAL] as const,
    [`src/${name}`, 'export const a = () => Math.random();', PROPERTY] as const,
  ]),
  // Ports speak our words.
  ['src/ports', "import type { A } from 'openpgp';", HOUSE],
  ['src/ports', "import type { A } from 'zod';", HOUSE],
  ['src/ports', "import type { A } from 'node:stream';", HOUSE],
  ['src/ports', "import type { A } from '../app/place.ts';", HOUSE],
  ['src/ports', "import type { A } from '../adapters/git/git.ts';", HOUSE],
  // Use cases reach the world through ports.
  ['src/app/mission', "import { a } from '../../adapters/git/git.ts';", HOUSE],
  ['src/app', "import { a } from '../compose/app.ts';", HOUSE],
  ['src/app', "import type { A } from '../surfaces/cli/output.ts';", HOUSE],
  ['src/app', "import { a } from 'node:child_process';", HOUSE],
  ['src/app', "import { a } from 'node:path';", HOUSE],
  ['src/app', "import { a } from 'openpgp';", HOUSE],
  ['src/app', 'export const a = () => Date.now();', PROPERTY],
  ['src/app', 'export const a = () => Math.random();', PROPERTY],
  ['src/app', 'export const a = () => process.env;', GLOBAL],
  ['src/app', 'export const a = () => setTimeout(() => undefined, 1);', GLOBAL],
  // No adapter imports another technology's, nor anything above it.
  ['src/adapters/artifacts', "import { a } from '../keys/file-keys.ts';", HOUSE],
  ['src/adapters/cells/process', "import { a } from '../../git/git.ts';", HOUSE],
  ['src/adapters/git', "import { a } from '../git-remote/open-remote.ts';", HOUSE],
  ['src/adapters/git-remote', "import { a } from '../keys/file-keys.ts';", HOUSE],
  ['src/adapters/gitea', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/isomorphic', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/keys', "import { a } from '../state/file-pins.ts';", HOUSE],
  ['src/adapters/memory', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/shipped', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/state', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/system', "import { a } from '../git/git.ts';", HOUSE],
  ['src/adapters/git', "import { a } from '../../app/place.ts';", HOUSE],
  ['src/adapters/git', "import { a } from '../../ledger/tip.ts';", HOUSE],
  ['src/adapters/git', "import { a } from '../../compose/app.ts';", HOUSE],
  ['src/adapters/git', "import { a } from 'openpgp';", HOUSE],
  ['src/adapters/keys', "import { a } from 'isomorphic-git';", HOUSE],
  ['src/adapters/new-technology', "import { a } from '../../format/bytes.ts';", HOUSE],
  // Programs are run by one file of src/adapters/system/; three others start what stays.
  ...['cells', 'cells/process', 'git', 'git-remote', 'keys', 'system'].map(
    (name) => [`src/adapters/${name}`, "import { execFile } from 'node:child_process';", HOUSE] as const,
  ),
  ['src/adapters/git', "import { a } from 'execa';", HOUSE],
  ['src/adapters/git-remote', "import { a } from 'simple-git';", HOUSE],
  // Nobody but src/compose/ imports adapters; surfaces and src/compose/ start no process.
  ['src/surfaces/cli/commands', "import { a } from '../../../adapters/git/git.ts';", HOUSE],
  ['src/surfaces/action', "import { a } from '../../adapters/gitea/server.ts';", HOUSE],
  ['src/surfaces/cli', "import { a } from '../action/circumstances.ts';", HOUSE],
  ['src/surfaces/cli', "import { a } from 'node:child_process';", HOUSE],
  ['src/surfaces/cli', "import { a } from 'child_process';", HOUSE],
  ['src/surfaces/cli', "import { a } from 'execa';", HOUSE],
  ['src/surfaces/cli', "import { createRequire } from 'node:module';", HOUSE],
  ['src/surfaces/cli', "export const a = () => process.getBuiltinModule('node:child_process');", PROPERTY],
  ['src/surfaces', "import { a } from '../app/place.ts';", HOUSE],
  ['src/compose', "import { a } from '../surfaces/cli/output.ts';", HOUSE],
  ['src/compose', "import { a } from 'node:child_process';", HOUSE],
  ['src/compose', "export const a = () => process.getBuiltinModule('node:child_process');", PROPERTY],
  ['src/portable', "import { a } from '../adapters/system/node-crypto.ts';", HOUSE],
  ['src/portable', "import { a } from 'node:child_process';", HOUSE],
  ['src/new-layer', "import { a } from '../format/bytes.ts';", HOUSE],
  // However it is written.
  ['src/kernel', "export { a } from '../app/place.ts';", HOUSE],
  ['src/kernel', "export * from '../app/place.ts';", HOUSE],
  ['src/kernel', "export const a = async () => import('../app/place.ts');", HOUSE],
  ['src/kernel', "export type A = import('../app/place.ts').Place;", HOUSE],
  ['src/kernel', "import '../app/place.ts';", HOUSE],
  ['src/kernel', "import { a } from '../format/../app/place.ts';", HOUSE],
  ['src/kernel', "import { a } from '/src/app/place.ts';", HOUSE],
  ['src/surfaces/cli', 'export const a = async (path: string) => import(path);', HOUSE],
  ['src/surfaces/cli', "export const a = () => require('node:child_process');", HOUSE],
];

const ALLOWED: readonly (readonly [where: string, text: string])[] = [
  ['src/format', "export { Failure } from '../failure.ts';"],
  ['src/kernel', "export { a } from '../format/bytes.ts';"],
  ['src/ledger', "export { a } from '../kernel/state.ts';"],
  ['src/app/gate', "export { a } from '../../ports/forge.ts';"],
  ['src/app', 'export const a = (atMs: number) => new Date(atMs).toISOString();'],
  ['src/adapters/git-remote', "export { a } from '../git/git.ts';"],
  ['src/adapters/cells/process', "export { a } from '../../system/processes.ts';"],
  ['src/adapters/cells/process', "export { a } from '../port.ts';"],
  ['src/adapters/cells/process/launch.ts', "export { spawn } from 'node:child_process';"],
  ['src/adapters/git/git.ts', "export { spawn } from 'node:child_process';\nexport { a } from './no-hooks.ts';"],
  ['src/adapters/system', "export { execa } from 'execa';"],
  ['src/compose', "export const a = async () => import('../adapters/git/git.ts');"],
  ['src/surfaces/cli', "export { a } from '../../compose/app.ts';"],
  ['src/verify.ts', "export { a } from './compose/verifier.ts';"],
];

type Diagnostic = { readonly code: string; readonly message: string; readonly filename: string };

function lintedTree(files: readonly (readonly [path: string, text: string])[]): readonly Diagnostic[] {
  const folder = scratch('house');
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  cpSync(join(ROOT, 'lint'), join(folder, 'lint'), { recursive: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  const { stdout } = spawnSync(OXLINT, ['--format=json', 'src'], { cwd: folder, encoding: 'utf8' });
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

const pathOf = (where: string, i: number): string => (where.endsWith('.ts') ? where : `${where}/tried-${i}.ts`);

describe('a boundary of the house', () => {
  it('is held by the linter, wherever and however it is crossed', () => {
    const found = lintedTree(REFUSED.map(([where, text], i) => [pathOf(where, i), text]));
    const unheld = REFUSED.filter(
      ([where, , rule], i) => !found.some(({ filename, code }) => filename === pathOf(where, i) && code === rule),
    );
    expect(unheld).toEqual([]);
  });

  it('says which row of which table it is', () => {
    const [found] = lintedTree([['src/kernel/tried.ts', "export { a } from '../app/place.ts';"]]);
    expect(found?.message).toBe(
      'src/kernel: rules know the formats, and nothing of the outside (the table: lint/house.mjs)',
    );
  });

  it('leaves alone what the table allows', () => {
    expect(lintedTree(ALLOWED.map(([where, text], i) => [pathOf(where, i), text]))).toEqual([]);
  });

  it('is switched off by no comment', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(ts|mjs)$/.test(path),
    );
    const off = sources.flatMap((path) =>
      (readFileSync(join(ROOT, 'src', path), 'utf8').match(/lint-disable.*$/gm) ?? []).filter((line) =>
        /house|no-restricted|disable(?:-next-line|-line)?\s*(?:--|\*|$)/.test(line),
      ),
    );
    expect(off).toEqual([]);
  });
});
