// Documents as JSON files below one folder: changed by one process at a time, replaced whole or not at all.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../src/failure.ts';
import type { Shelf } from './records.ts';

const LOCK_TIMEOUT_MS = 10_000;
const LOCK_POLL_MS = 20;

export function fileShelf(folder: string): Shelf {
  const pathOf = (name: string): string => join(folder, `${name}.json`);
  return {
    read: async (name) => readDocument(pathOf(name)),
    change: async (name, change) => {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true });
      const unlock = await lock(`${path}.lock`);
      try {
        const { next, result } = change(await readDocument(path));
        await replace(path, `${JSON.stringify(next, undefined, 2)}\n`);
        return result;
      } finally {
        await unlock();
      }
    },
  };
}

async function readDocument(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure('file_unreadable', { path }, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('forge_answer_unexpected', { path, why: 'not JSON' }, { cause });
  }
}

async function replace(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(beside, text, { flag: 'wx', flush: true });
    await rename(beside, path);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new Failure('file_unwritable', { path }, { cause });
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return async () => rm(path, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw new Failure('file_unwritable', { path }, { cause });
    }
    if (await isAbandoned(path)) await takeAway(path);
    else if (Date.now() > deadline) throw new Failure('lock_held', { path }, { retry: 'later' });
    else await pause(LOCK_POLL_MS);
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Moved first: of two who find it abandoned, the slower one must not take away the lock that the faster one made. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const isOurs = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (isOurs) await rm(aside, { force: true });
}
