// What `npm pack` makes, unpacked where nothing else lies, as on a machine that never saw this repository: the program runs
// from it alone, and says how it is called there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../support/repos.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

function installed(): { readonly bin: string; readonly home: string } {
  const prefix = scratch('prefix');
  // Built by whoever runs the tests; npm would build it a second time.
  const made = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', prefix], {
    cwd: ROOT,
  });
  execFileSync('tar', ['-xzf', made.toString().trim(), '-C', prefix], { cwd: prefix });
  const bin = join(prefix, 'bin');
  mkdirSync(bin);
  // As npm does for a global package.
  symlinkSync('../package/dist/surfaces/cli/main.js', join(bin, 'lazarus'));
  return { bin, home: scratch('home') };
}

it('is all that the command line needs: no package beside it, no repository behind it', () => {
  const { bin, home } = installed();
  const run = (...args: readonly string[]): string =>
    execFileSync('lazarus', args, {
      cwd: home,
      encoding: 'utf8',
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        HOME: home,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  expect(run('--version')).toBe(run('version'));
  expect(run('--version')).toMatch(/^lazarus +\d/);
  expect(run('propose', '--example')).toContain('goal:');
  execFileSync('git', ['init', '-q', '-b', 'main', '.'], { cwd: home });
  execFileSync(
    'git',
    ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'x'],
    {
      cwd: home,
    },
  );
  expect(run('init', '--name', 'ana', '--unprotected')).toContain('genesis');
  expect(run('verify', 'project')).toContain('ok project');
  expect(readdirSync(join(bin, '../package'))).not.toContain('node_modules');
});
