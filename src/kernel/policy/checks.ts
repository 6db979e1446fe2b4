// Where checks may write in the tree, which they find read-only: what policy names, and the output folders that the
// project's own ignore rules leave out of every work. Says nothing of who mounts what.
import { z } from 'zod';
import { TreePath } from './environment.ts';

const PLACES_MAX = 16;

export const Checks = z.strictObject({
  /** Folders of the tree: as the commit has them, or empty, and thrown away with every check. */
  writable: z.array(TreePath).max(PLACES_MAX).default([]),
});
export type Checks = z.infer<typeof Checks>;

/** Whether one of these paths is the other, or lies in it. */
export function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/**
 * At the top of the tree, filled by tools that everybody has. Not every folder of `.gitignore`: an empty `.venv`, `lib` or
 * `.env` is taken for something that it is not.
 */
const OUTPUT_FOLDERS = [
  '.cache',
  '.mypy_cache',
  '.next',
  '.nyc_output',
  '.parcel-cache',
  '.pytest_cache',
  '.ruff_cache',
  '.svelte-kit',
  '.tox',
  '.turbo',
  'build',
  'coverage',
  'dist',
  'htmlcov',
  'out',
  'playwright-report',
  'target',
  'test-results',
  'tmp',
] as const;

/** Those of them that this text names in a line of its own. What it takes back with `!` stays part of the work. */
export function ignoredOutputFolders(gitignore: string): readonly string[] {
  const lines = gitignore.split('\n').map((line) => line.trim());
  const plain = new Set(lines.map((line) => line.replace(/^\//, '').replace(/\/$/, '')));
  const back = lines.filter((line) => line.startsWith('!')).map((line) => line.replace(/^!\/?/, ''));
  return OUTPUT_FOLDERS.filter(
    (name) => plain.has(name) && !back.some((path) => overlap(path.replace(/\/$/, ''), name)),
  );
}
