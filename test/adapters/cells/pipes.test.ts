// Pipes that were made ahead: each is a pipe of its own, nobody can find one by a name, and no program that is started
// meanwhile gets one.
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, readdirSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sweepAbandoned } from '../../../src/adapters/cells/abandoned.ts';
import { makePipes, stockPipes, type Pipe } from '../../../src/adapters/cells/pipes.ts';
import { scratch } from '../../support/repos.ts';

const made: Pipe[] = [];
afterEach(() => {
  for (const { read } of made.splice(0)) read.destroy();
});

async function pipes(folder: string): Promise<{ out: Pipe; err: Pipe }> {
  const both = await makePipes(folder, undefined);
  made.push(both.out, both.err);
  return both;
}

async function heard({ write, read }: Pipe, text: string): Promise<string> {
  writeSync(write, text);
  closeSync(write);
  let all = '';
  for await (const chunk of read) all += String(chunk);
  return all;
}

test('what one cell says is heard from its own pipe alone', async () => {
  const folder = scratch('pipes');
  const [one, other] = [await pipes(folder), await pipes(folder)];
  const all = [one.out, one.err, other.out, other.err];
  expect(new Set(all.map(({ write }) => fstatSync(write).ino)).size).toBe(4);
  expect(all.every(({ write }) => fstatSync(write).isFIFO())).toBe(true);
  const said = ['one', 'its errors', 'other', 'its errors too'];
  expect(await Promise.all(all.map((pipe, i) => heard(pipe, said[i]!)))).toEqual(said);
});

test('a pipe in stock has no name, and is open to nobody else', async () => {
  const folder = scratch('pipes');
  await stockPipes(folder);
  expect(readdirSync(folder)).toEqual([]);
  const { out } = await pipes(folder);
  const { ino, mode } = fstatSync(out.write);
  expect(mode & 0o777).toBe(0o600);
  const listed = spawnSync('/bin/sh', ['-c', 'ls -l /proc/self/fd /dev/fd/'], { encoding: 'utf8' });
  expect(listed.stdout).not.toContain(`[${ino}]`);
  expect(listed.stdout).not.toContain('.pipe');
  closeSync(out.write);
});

test('who asks at the same moment gets pipes of their own, and the stock does not grow', async () => {
  const folder = scratch('pipes');
  const all = await Promise.all(Array.from({ length: 9 }, () => pipes(folder)));
  const inodes = all.flatMap(({ out, err }) => [fstatSync(out.write).ino, fstatSync(err.write).ino]);
  expect(new Set(inodes).size).toBe(18);
  for (const { out, err } of all) for (const { write } of [out, err]) closeSync(write);
  await Promise.all(Array.from({ length: 5 }, () => stockPipes(folder)));
  const before = readdirSync('/dev/fd').length;
  await stockPipes(folder);
  expect(readdirSync('/dev/fd').length).toBe(before);
});

test('names that a killed supervisor left are swept once they are old', async () => {
  const folder = scratch('pipes');
  const cells = join(folder, 'cells');
  mkdirSync(cells);
  for (const name of ['pipe-old', 'pipe-young']) writeFileSync(join(cells, name), '');
  const twoHoursAgo = new Date(Date.now() - 2 * 3600_000);
  utimesSync(join(cells, 'pipe-old'), twoHoursAgo, twoHoursAgo);
  await sweepAbandoned(folder);
  expect(readdirSync(cells)).toEqual(['pipe-young']);
});
