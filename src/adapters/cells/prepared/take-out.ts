// Takes what a preparation made out of the folder it was made in. Whoever wrote that folder may want to hurt whoever reads
// it, but nothing of theirs runs any more: every step is looked at without following it, and what is kept are new files
// of ours, with plain modes. Runs nothing, and judges no content.
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { breaths, eachChunk, walk } from './tree.ts';

export type Bounds = { readonly bytes: number; readonly files: number };
export type Taken =
  | { readonly is: 'taken'; readonly bytes: number; readonly files: number }
  | { readonly is: 'unusable'; readonly path: string; readonly why: string }
  | { readonly is: 'too_large'; readonly path: string; readonly why: string };

/** The host's own paths in front of it have to fit as well. */
const PATH_BYTES_MAX = 3000;
const SHOWN_CHARACTERS_MAX = 200;
const FOLDER = 0o755;
/** Read-only from the first moment: what is mounted is never written again. */
const FILE = 0o444;
const PROGRAM = 0o555;

export async function takeOut(
  from: string,
  into: string,
  wanted: { readonly makes: readonly string[]; readonly writable: readonly string[] },
  bounds: Bounds,
): Promise<Taken> {
  const sum = { bytes: 0, files: 0 };
  for (const made of wanted.makes) {
    if (wanted.makes.some((other) => other !== made && made.startsWith(`${other}/`)))
      return { is: 'unusable', path: made, why: 'lies in another one' };
    if (!isFolder(from, made)) return { is: 'unusable', path: made, why: 'is no folder that was made' };
    const stopped = await judge(join(from, made), made, sum, bounds);
    if (stopped !== undefined) return stopped;
  }
  for (const made of wanted.makes) {
    madeFolder(into, made);
    await copyTree(join(from, made), join(into, made));
  }
  for (const path of wanted.writable) {
    if (!madeFolder(into, path)) return { is: 'unusable', path, why: 'is no folder, so nothing can be mounted on it' };
  }
  return { is: 'taken', ...sum };
}

/** All of it, before anything is copied: a file of terabytes takes no room where it was made, and would take it here. */
async function judge(
  from: string,
  made: string,
  sum: { bytes: number; files: number },
  bounds: Bounds,
): Promise<Exclude<Taken, { is: 'taken' }> | undefined> {
  const rest = breaths();
  for (const { path, about } of walk(from)) {
    await rest();
    const shown = `${made}/${path.toString('latin1').replaceAll(/[^ -~]/g, '?')}`.slice(0, SHOWN_CHARACTERS_MAX);
    sum.files += 1;
    sum.bytes += about.size;
    if (sum.files > bounds.files) return { is: 'too_large', path: shown, why: `more than ${bounds.files} files` };
    if (sum.bytes > bounds.bytes) return { is: 'too_large', path: shown, why: `more than ${bounds.bytes} bytes` };
    if (path.length > PATH_BYTES_MAX) return { is: 'unusable', path: shown, why: 'has too long a path' };
    if (!about.isDirectory() && !about.isFile() && !about.isSymbolicLink())
      return { is: 'unusable', path: shown, why: 'is neither a file, a folder nor a link' };
  }
  return undefined;
}

async function copyTree(from: string, into: string): Promise<void> {
  const rest = breaths();
  const target = Buffer.from(`${into}/`);
  for (const { path, at, about } of walk(from)) {
    await rest();
    const place = Buffer.concat([target, path]);
    if (about.isDirectory()) makeFolder(place);
    // Its text and nothing else: it may lead anywhere, and only cells ever follow it, to where it leads in there.
    else if (about.isSymbolicLink()) symlinkSync(readlinkSync(at, 'buffer'), place);
    else copyFile(at, place, (about.mode & 0o100) === 0 ? FILE : PROGRAM);
  }
}

function copyFile(from: Buffer, into: Buffer, mode: number): void {
  const file = openSync(into, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    eachChunk(from, (chunk) => {
      for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
    });
  } finally {
    closeSync(file);
  }
  chmodSync(into, mode);
}

/** Through real folders alone: a link on the way could lead to a folder of the host's. */
function isFolder(root: string, path: string): boolean {
  const steps = path.split('/');
  return steps.every((_, i) => {
    const about = lstatSync(join(root, ...steps.slice(0, i + 1)), { throwIfNoEntry: false });
    return about?.isDirectory() === true;
  });
}

/** Makes it, and what is missing above it, unless something else stands there. */
function madeFolder(root: string, path: string): boolean {
  const at = join(root, path);
  const about = lstatSync(at, { throwIfNoEntry: false });
  if (about !== undefined) return isFolder(root, path);
  if (dirname(path) !== '.' && !madeFolder(root, dirname(path))) return false;
  makeFolder(at);
  return true;
}

/** Passable for a cell's own user, whatever mask this process has. */
function makeFolder(path: Buffer | string): void {
  mkdirSync(path);
  chmodSync(path, FOLDER);
}
