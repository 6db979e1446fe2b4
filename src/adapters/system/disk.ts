// Files that are whole and on the disk, or absent: written aside, synced, then named. Knows nothing of Git.
// Only what waits for the disk is left to another thread: to hand it the other calls takes longer than they do.
import { randomUUID } from 'node:crypto';
import { closeSync, fsync, openSync, renameSync, unlinkSync, writeFile, writeFileSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure, failureIn } from '../../failure.ts';

/** git's own cleaning also takes what begins with `tmp_` and was left behind. */
export const ASIDE_PREFIX = 'tmp_lazarus_';
const ASIDE_AGE_MAX_MS = 60 * 60 * 1000;

/** More than this is not copied while everything else in this process stands still. */
const AT_ONCE_BYTES_MAX = 1 << 20;
const synced = promisify(fsync);
const written = promisify(writeFile);

/** Writes a synced file under a name nobody looks at; the caller renames it. Leaves nothing behind when it fails. */
export async function writeAside(folder: string, bytes: Uint8Array, mode = 0o444): Promise<string> {
  const path = join(folder, `${ASIDE_PREFIX}${randomUUID()}`);
  try {
    const file = openSync(path, 'wx', mode);
    try {
      if (bytes.length > AT_ONCE_BYTES_MAX) await written(file, bytes);
      else writeFileSync(file, bytes);
      await synced(file);
    } finally {
      closeSync(file);
    }
    return path;
  } catch (error) {
    removeQuietly(path);
    throw diskFailure(error, folder);
  }
}

export function nameFile(aside: string, path: string): void {
  try {
    renameSync(aside, path);
  } catch (error) {
    throw diskFailure(error, path);
  }
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    await synced(folder);
  } finally {
    closeSync(folder);
  }
}

/** Undefined where the backend keeps references elsewhere, or a deletion emptied the folder. */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** For what does no harm if it stays. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never there, somebody else was first, or the next writer removes it.
  }
}

/** Removes what a killed writer left; young files may belong to somebody who is writing now. */
export async function removeStaleAsides(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(ASIDE_PREFIX))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > ASIDE_AGE_MAX_MS) await unlink(path).catch(() => undefined);
  }
}

const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT']);

/** What a program says that found no room, and a shell of one that was ended for it. English, because LC_ALL is C. */
const SAYS_FULL =
  /No space left on device|Out of diskspace|Disk quota exceeded|File too large|File size limit exceeded/;

export function saysFull(says: string): boolean {
  return SAYS_FULL.test(says);
}

export function diskFailure(cause: unknown, path: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  if (failureIn(cause)?.code === 'disk_full')
    return new Failure('disk_full', { path, error: code }, { cause, retry: 'later' });
  if (CLOSED.has(code)) return new Failure('not_writable', { path, error: code }, { cause });
  return cause;
}
