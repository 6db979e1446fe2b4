// Files that are whole and on the disk, or absent: written aside, synced, then named. Knows nothing of Git.
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';

/** git's own cleaning also takes what begins with `tmp_` and was left behind. */
export const ASIDE_PREFIX = 'tmp_lazarus_';
const ASIDE_AGE_MAX_MS = 60 * 60 * 1000;

/** Writes a synced file under a name nobody looks at; the caller renames it. Leaves nothing behind when it fails. */
export async function writeAside(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${ASIDE_PREFIX}${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o444);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return path;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw diskFailure(error, folder);
  }
}

export async function nameFile(aside: string, path: string): Promise<void> {
  await rename(aside, path).catch((error: unknown) => {
    throw diskFailure(error, path);
  });
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    // Absent where the backend keeps references elsewhere, or a deletion emptied the folder.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (folder === undefined) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
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

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT']);

function diskFailure(cause: unknown, path: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  if (FULL.has(code)) return new Failure('disk_full', { path, error: code }, { cause, retry: 'later' });
  if (CLOSED.has(code)) return new Failure('not_writable', { path, error: code }, { cause });
  return cause;
}
