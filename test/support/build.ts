// Builds the program before the tests when its sources are newer than the last build: tests of the command line run
// what a user would run. Type errors do not stop it; the type check reports those.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './gitea/project-folder.ts';

const ROOT = PROJECT.pathname;

/** The built entry of the command line. */
export const CLI_MAIN = join(ROOT, 'dist/surfaces/cli/main.js');

export function setup(): void {
  const newest = Math.max(
    ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((path) =>
      changedMs(join('src', path)),
    ),
    changedMs('tsconfig.json'),
  );
  if (changedMs('dist/surfaces/cli/main.js') > newest) return;
  const built = spawnSync('npx', ['tsc', '-p', 'tsconfig.json'], { cwd: ROOT, encoding: 'utf8' });
  const portable = spawnSync(process.execPath, ['src/portable/build.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (portable.status !== 0) throw new Error(`the portable script did not build:\n${portable.stderr}`);
  const action = spawnSync(process.execPath, ['src/surfaces/action/build.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (action.status !== 0) throw new Error(`the action did not build:\n${action.stderr}`);
  const hook = spawnSync(process.execPath, ['src/surfaces/hook/build.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (hook.status !== 0) throw new Error(`what hooks start did not build:\n${hook.stderr}`);
  const cli = spawnSync(process.execPath, ['src/surfaces/cli/build.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (cli.status !== 0) throw new Error(`the command line did not build:\n${cli.stderr}`);
  spawnSync('npm', ['run', '--silent', 'build:bin'], { cwd: ROOT });
  if (changedMs('dist/surfaces/cli/main.js') <= newest)
    throw new Error(`the build wrote nothing:\n${built.stdout}${built.stderr}`);
}

function changedMs(path: string): number {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
