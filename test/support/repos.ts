// Scratch repositories for tests, made and questioned with the real git. Nothing here touches a repository of a person.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is removed when the test ends. */
export function scratch(name = 'repo'): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `lazarus-${name}-`)));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function scratchRepository(...options: string[]): string {
  const path = scratch();
  git(path, ['init', '-q', '-b', 'main', ...options, '.']);
  return path;
}

/** Runs git and returns what it printed, without the last line feed; throws with its complaint when it fails. */
export function git(cwd: string, args: readonly string[], input: string | Uint8Array = ''): string {
  return execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args], {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    stdio: ['pipe', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

/** The environment of a person whose own configuration, outside every repository, has these settings. */
export function personWith(...settings: readonly (readonly [key: string, value: string])[]): {
  readonly GIT_CONFIG_GLOBAL: string;
} {
  const folder = scratch('person');
  const file = join(folder, 'gitconfig');
  writeFileSync(file, '');
  for (const [key, value] of settings) git(folder, ['config', '--file', file, '--add', key, value]);
  return { GIT_CONFIG_GLOBAL: file };
}

/** Every object of the repository, reachable or not, as text: where a secret that must not be there would be. */
export function everyObject(folder: string): string {
  const ids = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: folder });
  const all = execFileSync('git', ['cat-file', '--batch'], { cwd: folder, input: ids, maxBuffer: 1 << 28 });
  return all.toString('latin1');
}
