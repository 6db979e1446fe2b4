// Removes a folder that a cell wrote: directories nobody may enter, thousands of levels, names in no encoding. Follows
// no link. Only for trees in which nothing runs any more.
import { chmod, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/**
 * Every directory is first moved to the top, then emptied there: no path ever gets long, however deep the cell dug, and
 * no descriptor is held per level.
 */
export async function removeTree(path: string): Promise<void> {
  if (!(await exists(path))) return;
  const heap = `${path}.${randomUUID()}.removing`;
  await mkdir(heap, { mode: 0o700 });
  await moveInto(heap, Buffer.from(path));
  for (let names = await readdir(heap); names.length > 0; names = await readdir(heap)) {
    for (const name of names) await empty(heap, join(heap, name));
  }
  await rmdir(heap);
}

async function empty(heap: string, directory: string): Promise<void> {
  for (const name of await readdir(directory, { encoding: 'buffer' })) {
    const path = Buffer.concat([Buffer.from(`${directory}/`), name]);
    if ((await lstat(path)).isDirectory()) await moveInto(heap, path);
    else await unlink(path);
  }
  await rmdir(directory);
}

/** To move a directory its owner has to be able to write to it: its `..` changes. */
async function moveInto(heap: string, directory: Buffer): Promise<void> {
  await chmod(directory, 0o700);
  await rename(directory, join(heap, randomUUID()));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
