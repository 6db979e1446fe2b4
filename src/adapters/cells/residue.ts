// Looks for what a closed cell may have left on this machine: processes, mounts, open files, temporary files, shared
// memory. Only looks; a number that is not zero is somebody's alarm.
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Residue } from '../../ports/cells.ts';

export type Traces = {
  /** The cell's own folder. */
  readonly root: string;
  /** Who ran in it; undefined where that was an ordinary user's own id, by which nothing can be told apart. */
  readonly uid: number | undefined;
  readonly cellId: string;
};

/** What there is in the shared places before a cell starts. */
export type Before = ReadonlySet<string>;

const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];

export async function lookAround(): Promise<Before> {
  const found = await Promise.all(
    SHARED_FOLDERS.map(async (folder) => (await names(folder)).map((n) => join(folder, n))),
  );
  return new Set(found.flat());
}

/** Everything but processes, cgroups and folders, which whoever made them counts. */
export async function leftBehind(
  { root, uid, cellId }: Traces,
  before: Before,
): Promise<Pick<Residue, 'mounts' | 'openPlaces' | 'temporaryFiles' | 'sharedMemory' | 'sockets'>> {
  const places = await Promise.all((await pids()).map((pid) => placesOf(pid, root)));
  const [temporaryFiles, sharedMemory, sockets] = await Promise.all([
    newIn(before, uid, cellId),
    uid === undefined ? 0 : segmentsOf(uid),
    linesOf('/proc/net/unix', (line) => line.includes(root) || line.includes(cellId)),
  ]);
  return {
    mounts: sum(places.map(({ mounts }) => mounts)),
    openPlaces: sum(places.map(({ open }) => open)),
    temporaryFiles,
    sharedMemory,
    sockets,
  };
}

async function pids(): Promise<readonly string[]> {
  return (await names('/proc')).filter((name) => /^\d+$/.test(name));
}

/** Mounts of the folder and processes that stand in it, of every process that may be looked at. */
async function placesOf(pid: string, root: string): Promise<{ mounts: number; open: number }> {
  const at = `/proc/${pid}`;
  const inside = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const links = await Promise.all(
    [`${at}/cwd`, `${at}/root`, ...(await names(`${at}/fd`)).map((fd) => `${at}/fd/${fd}`)].map((path) =>
      readlink(path).catch(() => ''),
    ),
  );
  return {
    mounts: await linesOf(`${at}/mountinfo`, (line) => line.includes(` ${root}`)),
    open: links.filter(inside).length,
  };
}

async function newIn(before: Before, uid: number | undefined, cellId: string): Promise<number> {
  const now = await lookAround();
  let count = 0;
  for (const path of now) {
    if (before.has(path)) continue;
    const theirs = uid !== undefined && (await lstat(path).catch(() => undefined))?.uid === uid;
    if (theirs || path.includes(cellId)) count += 1;
  }
  return count;
}

/** System V segments, semaphores and queues by owner: the fifth column of each table, but for shm the eighth. */
async function segmentsOf(uid: number): Promise<number> {
  const columns = { shm: 7, sem: 4, msg: 7 };
  const counts = await Promise.all(
    Object.entries(columns).map(([table, column]) =>
      linesOf(`/proc/sysvipc/${table}`, (line) => line.trim().split(/\s+/)[column] === String(uid)),
    ),
  );
  return sum(counts);
}

async function linesOf(path: string, match: (line: string) => boolean): Promise<number> {
  const text = await readFile(path, 'latin1').catch(() => '');
  return text.split('\n').filter(match).length;
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
