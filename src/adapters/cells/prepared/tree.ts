// A prepared tree, looked at: every path of it once, in one order, through nothing that is a link. Two digests come of that:
// what stands in it, and how the disk describes it. Changes nothing.
import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';

export type Found = { readonly path: Buffer; readonly at: Buffer; readonly about: Stats };

const SLASH = Buffer.from('/');
const READ_BYTES = 1 << 20;
/** So long this process may stand still for a tree; cells of other missions are being supervised by it as well. */
const AT_ONCE_MS = 5;
/** Of what is hashed in one go: a hundred paths or so. */
const AT_ONCE_CHARACTERS = 16 * 1024;

/** Folders before what is in them, names in the order of their bytes. Paths are bytes: a package may use any. */
export function* walk(root: string): Generator<Found> {
  const waiting: { readonly at: Buffer; readonly path: Buffer }[] = [{ at: Buffer.from(root), path: Buffer.alloc(0) }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { at: above, path: before } = folder;
    for (const name of readdirSync(above, { encoding: 'buffer' }).sort((a, b) => a.compare(b))) {
      const path = before.length === 0 ? name : Buffer.concat([before, SLASH, name]);
      const at = Buffer.concat([above, SLASH, name]);
      const about = lstatSync(at);
      if (about.isDirectory()) waiting.push({ at, path });
      yield { path, at, about };
    }
  }
}

/**
 * How the disk describes every path: kind, mode, owner, size, the number of its inode, and when that last changed, which
 * nobody but root can set back. Costs a few microseconds for each; does not read what is in the files.
 */
export async function lookOf(root: string): Promise<string> {
  return overAll(root, ({ about }) =>
    [about.mode, about.uid, about.gid, about.size, about.ino, about.ctimeMs].join(' '),
  );
}

/** What a cell would find: every path, kind and mode, every byte, every link's text. */
export async function contentOf(root: string): Promise<string> {
  return overAll(root, ({ at, about }) => {
    const holds = createHash('sha256');
    if (about.isFile()) eachChunk(at, (chunk) => void holds.update(chunk));
    if (about.isSymbolicLink()) holds.update(readlinkSync(at, 'buffer'));
    return `${about.mode} ${holds.digest('hex')}`;
  });
}

/** No path has a NUL in it, so that no two trees come to one text. */
async function overAll(root: string, say: (found: Found) => string): Promise<string> {
  const hash = createHash('sha256');
  const rest = breaths();
  let text = '';
  for (const found of walk(root)) {
    text += `${found.path.toString('latin1')}\0${say(found)}\0`;
    // A file may have taken long: whoever waits is asked after each.
    const pause = rest();
    if (pause !== undefined) await pause;
    if (text.length < AT_ONCE_CHARACTERS) continue;
    hash.update(text, 'latin1');
    text = '';
  }
  return hash.update(text, 'latin1').digest('hex');
}

/** Lets everything else of this process go on once in a while. */
export function breaths(): () => Promise<void> | undefined {
  let from = performance.now();
  return () => {
    if (performance.now() - from < AT_ONCE_MS) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (from = performance.now()));
  };
}

const buffer = Buffer.allocUnsafe(READ_BYTES);

/** The chunk is only good until the next one. */
export function eachChunk(path: Buffer, take: (chunk: Buffer) => void): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) take(buffer.subarray(0, n));
  } finally {
    closeSync(file);
  }
}
