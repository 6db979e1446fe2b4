// One file per running mission, with the process that runs it. Knows no mission, and judges nothing but whether that
// process is alive.
import { open, readFile, rename, rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { RunLock, RunLocks } from '../../ports/run-lock.ts';
import { isAlive, thisProcess } from '../system/processes.ts';

const Holder = z.strictObject({ pid: z.int().min(1), began: z.string() });
type Holder = z.infer<typeof Holder>;

export function runLocks(folder: string): RunLocks {
  const fileOf = (mission: string): string => join(folder, `${mission}.run`);
  return {
    async isLeft(mission) {
      const holder = await holderOf(fileOf(mission));
      return holder !== undefined && !(await isAlive(holder));
    },
    async take(mission) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(mission);
      const me: Holder = await thisProcess();
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
