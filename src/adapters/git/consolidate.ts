// Folds the small packs that appends leave, so that git never searches hundreds of them. Upkeep only: losing the list
// or failing here costs time, never an object, and two processes may do it at once, beside a `git gc`.
//
// The invariant: whoever removes a pack has first made a pack durable that holds every object of it. It needs no
// lock: a pack that vanished meanwhile was folded by somebody under the same rule.
//
// Small calls are made here and now, a few at a time: handed to another thread one by one they take so long that a busy
// writer makes packs faster than they are folded, and git reads the whole folder for every append.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { ASIDE_PREFIX, removeQuietly, syncFolder } from '../system/disk.ts';
import { askGit } from './git.ts';
import { indexedNames } from './pack-index.ts';
import type { FoundRepository } from './probe.ts';

export type FoldPoint = 'fold_packed' | 'fold_durable' | 'fold_removed_one';
type Line = { readonly level: number; readonly name: string };

/** Folding 64 packs of one level makes one of the next: an object is moved at most once per level. */
const PACKS_PER_FOLD = 64;
/** Ten times what 64 single appends leave; a batch alone may leave as many. */
const FEW_OBJECTS_MAX = 10_000;
const LINE = /^([0-9]) (pack-[0-9a-f]{40})$/;

/** Remembers a pack that we wrote and folds when enough of them have gathered. */
export async function rememberPack(
  place: FoundRepository,
  stateDir: string,
  name: string,
  onPoint: (point: FoldPoint) => void,
): Promise<void> {
  mkdirSync(stateDir, { recursive: true });
  appendFileSync(listPath(stateDir), `0 ${name}\n`);
  for (let level = 0; level < 9; level++) {
    const ripe = readList(stateDir).filter((line) => line.level === level);
    if (ripe.length < PACKS_PER_FOLD) return;
    await fold(place, stateDir, ripe, onPoint);
  }
}

async function fold(
  place: FoundRepository,
  stateDir: string,
  lines: readonly Line[],
  onPoint: (point: FoldPoint) => void,
): Promise<void> {
  const folder = join(place.commonDir, 'objects', 'pack');
  const multiPackIndex = await readFile(join(folder, 'multi-pack-index')).catch(() => Buffer.alloc(0));
  const present = new Set(await readdir(folder));
  const names = [...new Set(lines.map((line) => line.name))].filter(
    (name) =>
      present.has(`${name}.pack`) &&
      // Marked by somebody as not to be removed, or named by a multi-pack-index: git's to look after.
      !['keep', 'promisor', 'mtimes'].some((mark) => present.has(`${name}.${mark}`)) &&
      !multiPackIndex.includes(`${name}.idx`),
  );
  const folded = names.length < 2 ? [] : await packTogether(place, folder, names);
  onPoint('fold_packed');
  await syncFolder(folder);
  onPoint('fold_durable');
  await removeContained(folder, names, folded, onPoint);
  const done = new Set(lines.map((line) => line.name));
  const level = (lines[0]?.level ?? 0) + 1;
  rewriteList(
    stateDir,
    (line) => !done.has(line.name),
    folded.map((name) => ({ level, name })),
  );
}

/**
 * git reads the packs and writes one, synced, under its final name, finding better deltas than an append can. Told which
 * packs, it walks from their commits through all of history, to learn the names by which it finds those deltas. That is
 * worth it for what holds much, as packs do that were folded before. What single appends wrote it is told by the objects:
 * with so few it needs no names, and the walk would take ten times as long as all the rest.
 */
async function packTogether(place: FoundRepository, folder: string, names: readonly string[]): Promise<string[]> {
  const few = await fewObjectsIn(folder, names);
  const told = few ?? names.map((name) => `${name}.pack`);
  const how = few === undefined ? ['--stdin-packs'] : [];
  const args = ['pack-objects', ...how, '--delta-base-offset', '--quiet', join(folder, 'pack')];
  const written = await askGit(place, args, told.map((one) => `${one}\n`).join(''));
  return written
    .trim()
    .split('\n')
    .map((hash) => `pack-${hash}`);
}

/** Undefined where there are many. */
async function fewObjectsIn(folder: string, names: readonly string[]): Promise<readonly string[] | undefined> {
  const oids = new Set<string>();
  for (const name of names) {
    await others();
    for (const oid of namesIn(folder, name) ?? []) oids.add(oid);
    if (oids.size > FEW_OBJECTS_MAX) return undefined;
  }
  return [...oids].map((oid) => Buffer.from(oid, 'latin1').toString('hex'));
}

async function removeContained(
  folder: string,
  names: readonly string[],
  folded: readonly string[],
  onPoint: (point: FoldPoint) => void,
): Promise<void> {
  const kept = new Set<string>();
  for (const name of folded) for (const oid of namesIn(folder, name) ?? []) kept.add(oid);
  for (const name of names) {
    await others();
    const own = namesIn(folder, name);
    if (folded.includes(name) || own === undefined || !own.every((oid) => kept.has(oid))) continue;
    // The index first: a pack without one is invisible, an index without its pack is an error.
    for (const ending of ['idx', 'rev', 'pack']) removeQuietly(join(folder, `${name}.${ending}`));
    onPoint('fold_removed_one');
  }
}

function namesIn(folder: string, name: string): readonly string[] | undefined {
  const index = readIfHere(join(folder, `${name}.idx`));
  return index === undefined ? undefined : indexedNames(index);
}

function readList(stateDir: string): Line[] {
  const text = readIfHere(listPath(stateDir))?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    const [, level, name] = LINE.exec(line) ?? [];
    return level === undefined || name === undefined ? [] : [{ level: Number(level), name }];
  });
}

/** Another process may add a line in between and lose it: its pack then waits for `git gc`, nothing else. */
function rewriteList(stateDir: string, keep: (line: Line) => boolean, add: readonly Line[]): void {
  const lines = [...readList(stateDir).filter(keep), ...add];
  const aside = join(stateDir, `${ASIDE_PREFIX}${process.pid}`);
  writeFileSync(aside, lines.map(({ level, name }) => `${level} ${name}\n`).join(''));
  renameSync(aside, listPath(stateDir));
}

function readIfHere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function listPath(stateDir: string): string {
  return join(stateDir, 'packs');
}
