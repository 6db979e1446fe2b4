// Whether somebody other than root and this process's own user could put another thing where a path leads: by its mode, its
// owner, or those of a folder above it. Looks at paths, and reads nothing.
import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

const OTHERS_WRITE = 0o022;
/** In such a folder, as /tmp is one, nobody replaces what is somebody else's. */
const STICKY = 0o1000;

/** The first such place, or what cannot be looked at; undefined where nobody else has a hand in it. */
export async function othersCanChange(path: string, own = process.geteuid?.()): Promise<string | undefined> {
  let at: string;
  try {
    at = await realpath(path);
  } catch {
    return path;
  }
  for (;;) {
    const { mode, uid } = await lstat(at);
    const isOpen = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
    if (isOpen || (uid !== 0 && uid !== own)) return at;
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
}
