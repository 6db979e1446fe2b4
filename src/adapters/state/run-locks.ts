// One file per running mission, with the process that runs it. A process is known by its number and the moment it began:
// numbers are given out again, and a new process with an old number must not hold a dead one's lock.
import { open, readFile, rename, rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { RunLock, RunLocks } from '../../ports/run-lock.ts';

const Holder = z.strictObject({ pid: z.int().min(1), began: z.string() });
type Holder = z.infer<typeof Holder>;

export function runLocks(folder: string): RunLocks {
  return {
    async take(mission) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${mission}.run`);
      const me: Holder = { pid: process.pid, began: await beganAt(process.pid) };
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        if (await created(file, me)) return { release: () => rm(file, { force: true }) } satisfies RunLock;
        const holder = await holderOf(file);
        if (holder !== undefined && (await isAlive(holder)))
          throw new Failure('mission_running', { mission, pid: holder.pid }, { retry: 'later' });
        // Moved away first: of two that find a dead one's lock, only one gets to remove it.
        await rename(file, `${file}.${me.pid}.dead`).catch(() => undefined);
        await rm(`${file}.${me.pid}.dead`, { force: true });
      }
      throw new Failure('mission_running', { mission, pid: 0 }, { retry: 'later' });
    },
  };
}

const TRIES_MAX = 8;

async function created(file: string, me: Holder): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(me));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined where the file is gone, or was cut off while it was written. */
async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    return Holder.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, began }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = await beganAt(pid);
  return now === began || now === UNKNOWN || began === UNKNOWN;
}

const UNKNOWN = 'unknown';
/** Field of /proc/<pid>/stat behind the command's name, which may hold spaces and brackets. */
const START_TIME_FIELD = 19;

async function beganAt(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_FIELD] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
