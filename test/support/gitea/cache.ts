// Where built programs wait for the next test run, and how a folder gets there whole or not at all, whoever else is
// building it at the same moment. Knows nothing of Go or Gitea.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 500;
const MARK = 'complete.json';

/** Root's own cache is closed to the ordinary user as whom the programs run. */
export function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? (process.getuid?.() === 0 ? '/var/cache' : join(homedir(), '.cache'));
  return join(base, 'lazarus-test');
}

/** The folder if it was finished and its files are still as long as they were. */
export function finished(folder: string): boolean {
  try {
    const sizes = JSON.parse(readFileSync(join(folder, MARK), 'utf8')) as Record<string, number>;
    return Object.entries(sizes).every(([name, bytes]) => statSync(join(folder, name)).size === bytes);
  } catch {
    return false;
  }
}

/** Fills a folder beside the final one and renames it: a build that dies leaves nothing that looks like one. */
export async function fillOnce(
  folder: string,
  files: readonly string[],
  fill: (into: string) => Promise<void>,
): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const unlock = await lock(`${folder}.lock`);
  try {
    if (finished(folder)) return;
    const parts = mkdtempSync(`${folder}.part-`);
    try {
      await fill(parts);
      const sizes = Object.fromEntries(files.map((name) => [name, statSync(join(parts, name)).size]));
      writeFileSync(join(parts, MARK), JSON.stringify(sizes));
      rmSync(folder, { recursive: true, force: true });
      renameSync(parts, folder);
    } finally {
      rmSync(parts, { recursive: true, force: true });
    }
  } finally {
    unlock();
  }
}

async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!isHeld(path)) breakLock(path);
    else await pause(POLL_MS);
  }
}

function isHeld(path: string): boolean {
  if (!existsSync(path)) return true;
  const pid = Number(readFileSync(path, 'utf8'));
  // Created and not yet written to: its maker is alive.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moved aside first: of two waiters that find the holder dead, one must not take away the other's new lock. */
function breakLock(path: string): void {
  const aside = `${path}.dead-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  rmSync(aside, { force: true });
}
