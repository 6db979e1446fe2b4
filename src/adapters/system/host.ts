// This machine as whoever looks at it sees it: what lies at a path, how much room is left. Never throws for what it is asked.
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Host } from '../../ports/host.ts';

export const thisHost: Host = {
  async at(path) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) return 'folder';
    if (found?.isFile() === true) return (await may(path, constants.X_OK)) ? 'program' : 'file';
    return found?.isSocket() === true && (await may(path, constants.W_OK)) ? 'socket' : undefined;
  },
  async freeBytes(path) {
    const free = await freeBytes(path).catch(() => undefined);
    if (free !== undefined) return free;
    const above = dirname(path);
    return above === path ? undefined : thisHost.freeBytes(above);
  },
};

/** Throws where nothing lies there. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

function may(path: string, how: number): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  );
}
