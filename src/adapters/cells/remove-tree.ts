// Removes a folder that a cell wrote: directories nobody may enter, thousands of levels, names in no encoding. Follows
// no link. Only for trees in which nothing runs any more.
import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/**
 * Every directory is first moved to the top, then emptied there: no path ever gets long, however deep the cell dug, and
 * no descriptor is held per level. The top is the folder itself: a disk that is full has no room for another one.
 */
export async function removeTree(path: string): Promise<void> {
  if (!(await exists(path))) return;
  const heap = `${path}.${randomUUID()}.removing`;
  await chmod(path, OURS);
  await rename(path, heap);
  await empty(heap, Buffer.from(heap));
  for (let names = await readdir(heap); names.length > 0; names = await readdir(heap)) {
    for (const name of names) {
      const directory = Buffer.from(join(heap, name));
      await empty(heap, directory);
      await rmdir(directory);
    }
  }
  await rmdir(heap);
}

/** What is in it: directories to the top, and the rest away. */
async function empty(heap: string, directory: Buffer): Promise<void> {
  for (const name of await readdir(directory, { encoding: 'buffer' })) {
    const path = Buffer.concat([directory, Buffer.from('/'), name]);
    if (!(await lstat(path)).isDirectory()) {
      await unlink(path);
      continue;
    }
    // To move a directory its owner has to be able to write to it: its `..` changes.
    await chmod(path, OURS);
    await rename(path, join(heap, randomUUID()));
  }
}

const OURS = 0o700;

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
