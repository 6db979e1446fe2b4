// A place in a laid-out project that something is mounted on: made step by step, never through what the tree brought along.
// A link there would lead the mount elsewhere. Knows neither what is mounted nor why; nothing runs in the project yet.
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from './folders.ts';

export type Place =
  /** `there`: the tree has this folder itself. */
  | { readonly is: 'made' | 'there' }
  /** By the first step that is no folder. */
  | { readonly is: 'taken'; readonly path: string };

export function makePlace(project: string, path: string, user: User | undefined): Place {
  const steps = path.split('/');
  let is: 'made' | 'there' = 'there';
  for (const [i] of steps.entries()) {
    const place = join(project, ...steps.slice(0, i + 1));
    const about = lstatSync(place, { throwIfNoEntry: false });
    if (about !== undefined && !about.isDirectory()) return { is: 'taken', path: steps.slice(0, i + 1).join('/') };
    if (about !== undefined) continue;
    makeFolder(place, user);
    is = 'made';
  }
  return { is };
}

export function makeFolder(path: string, user: User | undefined): void {
  mkdirSync(path);
  chmodSync(path, 0o755);
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}
