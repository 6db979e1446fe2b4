// Files that nobody else may read: written whole or not at all, refused when their mode lets others in.
// Knows names and bytes, not keys.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const FILE_BYTES_MAX = 65_536;

export function keyDirectory(directory: string) {
  /** The names in the directory; none when there is no directory yet. */
  async function names(): Promise<string[]> {
    if (!(await exists(directory))) return [];
    await refuseExposed(directory);
    return (await readdir(directory)).sort();
  }

  /** The file's text, or undefined when there is no such file. */
  async function read(name: string): Promise<string | undefined> {
    const path = join(directory, name);
    if (!(await exists(path))) return undefined;
    await refuseExposed(directory);
    await refuseExposed(path);
    // A link could lead out of the directory that was checked.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if ((await file.stat()).size > FILE_BYTES_MAX)
        throw new Failure('key_malformed', { what: 'file too large', path });
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  async function write(name: string, text: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
    await refuseExposed(directory);
    const temporary = join(directory, `.${name}.${randomUUID()}`);
    try {
      await writeDurably(temporary, text);
      await rename(temporary, join(directory, name));
      await syncDirectory(directory);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async function remove(name: string): Promise<void> {
    await unlink(join(directory, name));
    await syncDirectory(directory);
  }

  return { names, read, write, remove };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function refuseExposed(path: string): Promise<void> {
  const { mode } = await lstat(path);
  if ((mode & OTHERS) !== 0) throw new Failure('key_exposed', { path, mode: (mode & 0o777).toString(8) });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
