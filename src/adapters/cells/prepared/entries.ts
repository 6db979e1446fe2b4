// The cache of prepared entries on this machine's disk: one folder for each key, whole or absent, that belongs to whoever
// supervises and is never written again. Knows who has one mounted; prepares nothing.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, failureIn } from '../../../failure.ts';
import type { Clearing, Entry, KeptEntry, Verified } from '../../../ports/environments.ts';
import { nameFile, saysFull, syncFolder, writeAside } from '../../system/disk.ts';
import { runProgram } from '../../system/run-program.ts';
import { isLiving, ownMark } from '../abandoned.ts';
import { removeTree } from '../remove-tree.ts';
import { contentOf, lookOf } from './tree.ts';

const FOLDER = 'environments';
/** The digits of a key, without the word in front. */
const NAME = /^[0-9a-f]{64}$/;
const KEY = /^sha256:[0-9a-f]{64}$/;
const TREE = 'tree';
const SEAL = 'seal.json';
/** One file for every cell that has the entry mounted, named after the process that supervises it. */
const HELD = 'held';
/** What is being made, and what was put away while a cell still had it; neither has a key's name. */
const MAKING = 'making';
const GONE = 'gone';
/** A cell's own user gets to what is mounted for it by name, and can list nothing. */
const PASSABLE = 0o711;
/** A cell lives a day at most: a hold of another container, whose processes cannot be asked for, is over then. */
const HELD_MAX_MS = 25 * 60 * 60 * 1000;
/** All entries together; beyond it those go that were not used for longest. */
const CACHE_BYTES_MAX = 20 * 1024 ** 3;
const SYNC_TIMEOUT_MS = 10 * 60_000;

/** What stands beside a tree. `look` is what mounting compares. */
const Seal = z.strictObject({
  format: z.literal(1),
  entry: z.strictObject({
    key: z.string().regex(KEY),
    environment: z.string(),
    origin: z.string(),
    madeAtSeconds: z.int(),
    files: z.int(),
    bytes: z.int(),
  }),
  /** Over every path, mode and content. */
  content: z.string().regex(NAME),
  look: z.string().regex(NAME),
});
type Seal = z.infer<typeof Seal>;

export type Entries = ReturnType<typeof entriesIn>;

/** `folder`: the one above cells and their work. */
export function entriesIn(folder: string, bytesMax = CACHE_BYTES_MAX) {
  const all = join(folder, FOLDER);
  const at = (key: string): string => join(all, nameOf(key));
  return {
    treeOf: (key: string): string => join(at(key), TREE),
    has: (key: string): boolean => sealIn(at(key)) !== undefined,
    /** An empty folder of ours, for a tree that nobody sees until it is named. */
    begin: async (): Promise<{ readonly aside: string; readonly tree: string }> => {
      await mkdir(all, { recursive: true });
      await chmod(all, PASSABLE);
      const aside = join(all, `${MAKING}.${await ownMark()}.${randomUUID()}`);
      const tree = join(aside, TREE);
      for (const [path, mode] of [
        [aside, PASSABLE],
        [tree, 0o755],
        [join(aside, HELD), 0o700],
      ] as const) {
        mkdirSync(path);
        chmodSync(path, mode);
      }
      return { aside, tree };
    },
    /** Seals it and gives it its name. Of two who prepared one key, the first one's stays and both use that. */
    keep: async (aside: string, entry: Entry): Promise<void> => {
      const tree = join(aside, TREE);
      await synced(aside);
      const seal: Seal = { format: 1, entry, content: await contentOf(tree), look: await lookOf(tree) };
      nameFile(await writeAside(aside, Buffer.from(`${JSON.stringify(seal, null, 2)}\n`)), join(aside, SEAL));
      await syncFolder(aside);
      const won = await rename(aside, at(entry.key)).then(
        () => true,
        () => false,
      );
      if (!won) await removeTree(aside);
      await syncFolder(all);
      if (sealIn(at(entry.key)) === undefined) throw new Failure('environment_missing', { key: entry.key });
      await evict(all, bytesMax, nameOf(entry.key));
    },
    list: () => list(all),
    verify: async (key = ''): Promise<readonly Verified[]> => {
      const verified: Verified[] = [];
      for (const name of await namesIn(all)) {
        if (isCalled(name, key)) verified.push({ key: keyOf(name), verdict: await verdictOn(join(all, name)) });
      }
      return verified;
    },
    clear: (which: Clearing) => clear(all, which),
  };
}

/**
 * Keeps an entry's tree where it is for as long as a cell has it; answers with what lets it go. One that is not as it was
 * made is put away at once: whoever asks next finds none, and has it prepared anew.
 */
export async function holdEntry(folder: string, from: string): Promise<() => void> {
  const all = join(folder, FOLDER);
  const [name = '', tree] = from.startsWith(`${all}/`) ? from.slice(all.length + 1).split('/') : [];
  if (!NAME.test(name) || tree !== TREE || from.split('/').includes('..'))
    throw new Failure('cell_spec_invalid', { what: 'prepared folder' });
  const entry = join(all, name);
  const hold = join(entry, HELD, `${await ownMark()}.${randomUUID()}`);
  const letGo = (): void => rmSync(hold, { force: true });
  try {
    // Held before it is looked at: whoever clears looks for holds once more after taking an entry's name away.
    writeFileSync(hold, '', { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw failureIn(cause) ?? new Failure('environment_missing', { key: keyOf(name) }, { cause });
  }
  const seal = sealIn(entry);
  if (seal !== undefined && seal.look === (await lookOf(join(entry, TREE)).catch(() => undefined))) {
    const now = new Date();
    utimesSync(entry, now, now);
    return letGo;
  }
  letGo();
  await putAway(all, name);
  throw new Failure('environment_altered', { key: keyOf(name), what: seal === undefined ? SEAL : TREE });
}

async function list(all: string): Promise<readonly KeptEntry[]> {
  const found: KeptEntry[] = [];
  for (const name of await namesIn(all)) {
    const used = await stat(join(all, name)).catch(() => undefined);
    if (used === undefined) continue;
    found.push({
      ...(sealIn(join(all, name))?.entry ?? { ...UNREADABLE, key: keyOf(name) }),
      usedAtSeconds: Math.floor(used.mtimeMs / 1000),
      isMounted: await isHeld(join(all, name)),
    });
  }
  return found.sort((a, b) => b.usedAtSeconds - a.usedAtSeconds);
}

const UNREADABLE = { environment: '?', origin: '?', madeAtSeconds: 0, files: 0, bytes: 0 };

async function clear(all: string, which: Clearing) {
  const nowSeconds = Date.now() / 1000;
  const removed: string[] = [];
  const mounted: string[] = [];
  for (const { key, usedAtSeconds, isMounted } of await list(all)) {
    if (which !== 'all' && 'key' in which && !isCalled(nameOf(key), which.key)) continue;
    if (which !== 'all' && 'olderThanSeconds' in which && nowSeconds - usedAtSeconds < which.olderThanSeconds) continue;
    if (!isMounted) await putAway(all, nameOf(key));
    (isMounted ? mounted : removed).push(key);
  }
  await sweep(all);
  return { removed, mounted };
}

/** Never what somebody has mounted, nor what was just made; so there can be more for a while. */
async function evict(all: string, bytesMax: number, newest: string): Promise<void> {
  await sweep(all);
  const kept = await list(all);
  let bytes = kept.reduce((sum, entry) => sum + entry.bytes, 0);
  for (const entry of kept.toReversed()) {
    if (bytes <= bytesMax) return;
    if (nameOf(entry.key) === newest || entry.isMounted) continue;
    await putAway(all, nameOf(entry.key));
    bytes -= entry.bytes;
  }
}

/** Its name is free from here on. Whoever has it open goes on with that, and the next sweep takes it. */
async function putAway(all: string, name: string): Promise<void> {
  const aside = join(all, `${GONE}.${await ownMark()}.${randomUUID()}`);
  const isOurs = await rename(join(all, name), aside).then(
    () => true,
    () => false,
  );
  if (isOurs && !(await isHeld(aside))) await removeTree(aside).catch(() => undefined);
}

/** What a killed process had begun, and what was put away while a cell had it. */
async function sweep(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    const [kind, ...mark] = name.split('.');
    const isOver =
      kind === MAKING
        ? !(await isLiving(mark.slice(0, 3).join('.')))
        : kind === GONE && !(await isHeld(join(all, name)));
    if (isOver) await removeTree(join(all, name)).catch(() => undefined);
  }
}

async function isHeld(entry: string): Promise<boolean> {
  const held = join(entry, HELD);
  for (const name of await readdir(held).catch(() => [])) {
    const since = await stat(join(held, name)).catch(() => undefined);
    if (since === undefined || Date.now() - since.mtimeMs > HELD_MAX_MS) continue;
    if (await isLiving(name.split('.').slice(0, 3).join('.'))) return true;
  }
  return false;
}

async function verdictOn(entry: string): Promise<Verified['verdict']> {
  const seal = sealIn(entry);
  if (seal === undefined) return 'unreadable';
  const content = await contentOf(join(entry, TREE)).catch(() => undefined);
  return content === seal.content ? 'as_prepared' : 'altered';
}

function sealIn(entry: string): Seal | undefined {
  try {
    return Seal.parse(JSON.parse(readFileSync(join(entry, SEAL), 'utf8')));
  } catch {
    return undefined;
  }
}

async function namesIn(all: string): Promise<readonly string[]> {
  return (await readdir(all).catch(() => [])).filter((name) => NAME.test(name)).sort();
}

function nameOf(key: string): string {
  if (!KEY.test(key)) throw new Failure('cell_spec_invalid', { what: 'key of an environment' });
  return key.slice(key.indexOf(':') + 1);
}

function keyOf(name: string): string {
  return `sha256:${name}`;
}

/** People type the beginning, with the word in front or without it. */
function isCalled(name: string, typed: string): boolean {
  return name.startsWith(typed) || keyOf(name).startsWith(typed);
}

/** Everything on this disk at once: to ask for each of fifty thousand files would take minutes. */
async function synced(folder: string): Promise<void> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  const ran = await runProgram({ program: 'sync', args: ['-f', folder], cwd: '/', env, timeoutMs: SYNC_TIMEOUT_MS });
  if (ran.is === 'ended' && ran.exitCode === 0) return;
  const isFull = ran.is === 'ended' && saysFull(ran.stderr);
  throw new Failure(isFull ? 'disk_full' : 'not_writable', { path: folder, error: 'sync' });
}
