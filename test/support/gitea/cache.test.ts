// A cache of built programs is only worth something if nothing half-built is ever taken for a program.
import { existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { scratch } from '../repos.ts';
import { fillOnce, finished } from './cache.ts';

const write = (text: string) => async (into: string) => writeFileSync(join(into, 'program'), text);

it('builds once for two who want it at the same moment', async () => {
  const folder = join(scratch(), 'built');
  let builds = 0;
  const fill = async (into: string) => {
    builds++;
    await write('x')(into);
  };
  await Promise.all([fillOnce(folder, ['program'], fill), fillOnce(folder, ['program'], fill)]);
  expect(builds).toBe(1);
  expect(finished(folder)).toBe(true);
});

it('leaves nothing behind when a build fails, and builds again', async () => {
  const folder = join(scratch(), 'built');
  const failing = fillOnce(folder, ['program'], async (into) => {
    writeFileSync(join(into, 'program'), 'half');
    throw new Error('no space');
  });
  await expect(failing).rejects.toThrow('no space');
  expect(readdirSync(dirname(folder))).toEqual([]);
  await fillOnce(folder, ['program'], write('whole'));
  expect(readFileSync(join(folder, 'program'), 'utf8')).toBe('whole');
});

it('builds again what was cut short after it was finished', async () => {
  const folder = join(scratch(), 'built');
  await fillOnce(folder, ['program'], write('whole'));
  truncateSync(join(folder, 'program'), 2);
  expect(finished(folder)).toBe(false);
  await fillOnce(folder, ['program'], write('whole'));
  expect(finished(folder)).toBe(true);
});

it('takes over the lock of a builder that died', async () => {
  const folder = join(scratch(), 'built');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(`${folder}.lock`, String(pid));
  await fillOnce(folder, ['program'], write('whole'));
  expect(existsSync(`${folder}.lock`)).toBe(false);
  expect(finished(folder)).toBe(true);
});
