// A prepared tree, looked at: every path of it once, in one order, through nothing that is a link. Two digests come of that:
// what stands in it, and how the disk describes it. Changes nothing.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';

export type Found = { readonly path: Buffer; readonly at: Buffer; readonly about: Stats };

const SLASH = Buffer.from('/');
const READ_BYTES = 1 << 20;
/** So long this process may stand still for a tree; cells of other missions are being supervised by it as well. */
const AT_ONCE_MS = 5;

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
  return overAll(root, (hash, { about }) => {
    hash.update(` ${about.mode} ${about.uid} ${about.gid} ${about.size} ${about.ino} ${about.ctimeMs}\0`);
  });
}

/** What a cell would find: every path, kind and mode, every byte, every link's text. */
export async function contentOf(root: string): Promise<string> {
  return overAll(root, (hash, { at, about }) => {
    const holds = createHash('sha256');
    if (about.isFile()) eachChunk(at, (chunk) => void holds.update(chunk));
    if (about.isSymbolicLink()) holds.update(readlinkSync(at, 'buffer'));
    hash.update(` ${about.mode} ${holds.digest('hex')}\0`);
  });
}

async function overAll(root: string, add: (hash: Hash, found: Found) => void): Promise<string> {
  const hash = createHash('sha256');
  const rest = breaths();
  for (const found of walk(root)) {
    hash.update(found.path);
    add(hash, found);
    await rest();
  }
  return hash.digest('hex');
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
