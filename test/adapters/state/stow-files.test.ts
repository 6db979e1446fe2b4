// Hand-overs on a disk: whole or not there at all, wherever their writer is killed or the disk is full; bounded, swept by the
// time that their names say, in one pair of hands, and each project’s own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { stowFiles } from '../../../src/adapters/state/stow-files.ts';
import { REQUIRE } from '../../support/require.ts';
import { scratch } from '../../support/repos.ts';

const PROJECT = `sha256:${'ab'.repeat(32)}`;
const OTHER = `sha256:${'cd'.repeat(32)}`;
const ENDS = 2_000_000_000;

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function at(folder: string, { project = PROJECT, now = 1_000 } = {}) {
  return stowFiles({ folder, project, clock: { nowSeconds: () => now } });
}

async function put(folder: string, n: number, bytes = Buffer.from(`hand-over ${n}`)) {
  return at(folder).put({ attempt: idOf(n), endsAtSeconds: ENDS, bytes });
}

/** A process that stows one after the other and says when each is safe; every file begins with what the rest must hash to. */
const WRITER = `
import { createHash, randomBytes } from 'node:crypto';
import { stowFiles } from './src/adapters/state/stow-files.ts';
const stow = stowFiles({ folder: process.argv[2], project: '${PROJECT}', clock: { nowSeconds: () => 1000 } });
for (let n = 0; n < 40; n++) {
  const body = randomBytes(3_000_000 + n);
  const bytes = Buffer.concat([createHash('sha256').update(body).digest(), body]);
  const attempt = '00000000-0000-4000-8000-' + String(n).padStart(12, '0');
  try {
    await stow.put({ attempt, endsAtSeconds: ${ENDS}, bytes });
    console.log(attempt);
  } catch (error) {
    console.log('failed ' + error.code);
    break;
  }
}
`;

async function writer(): Promise<string> {
  const outfile = join(scratch('writer'), 'writer.mjs');
  const stdin = { contents: WRITER, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' as const };
  const banner = { js: REQUIRE };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error', banner });
  return outfile;
}

type Wrote = { readonly safe: readonly string[]; readonly failed: readonly string[] };

/** Killed once it has said so often that one is safe, in the middle of the next. */
async function write(folder: string, { killAfter = 99, through = [] as readonly string[] } = {}): Promise<Wrote> {
  const all = [...through, process.execPath, await writer(), folder];
  const child = spawn(all[0]!, all.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (text.split('\n').length > killAfter) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    safe: lines.filter((line) => !line.startsWith('failed ')),
    failed: lines.filter((line) => line.startsWith('failed ')),
  };
}

async function expectWhole(folder: string, safe: readonly string[]): Promise<void> {
  const found = await at(folder).list();
  expect(found.map(({ attempt }) => attempt)).toEqual(expect.arrayContaining([...safe]));
  for (const { path } of found) {
    const bytes = readFileSync(path);
    expect(createHash('sha256').update(bytes.subarray(32)).digest().equals(bytes.subarray(0, 32))).toBe(true);
  }
}

it.each([1, 2, 5, 9])(
  'a writer that is killed after %i leaves all that it said to be safe, and nothing half',
  async (n) => {
    const folder = join(scratch('stow'), 'handovers');
    const { safe } = await write(folder, { killAfter: n });
    expect(safe.length).toBeGreaterThanOrEqual(n);
    await expectWhole(folder, safe);
  },
);

it('a disk that is full is said to be that, and nothing stays behind', async () => {
  const folder = join(scratch('stow'), 'handovers');
  const { safe, failed } = await write(folder, { through: ['/bin/sh', '-c', 'ulimit -f 64; exec "$@"', 'sh'] });
  expect([safe, failed]).toEqual([[], ['failed disk_full']]);
  expect(readdirSync(folder)).toEqual([]);
});

it('takes no more than so many, and not more at once than one may hold', async () => {
  const folder = scratch('stow');
  for (let n = 0; n < 64; n++) await put(folder, n);
  await expect(put(folder, 64)).rejects.toMatchObject({ code: 'limit_reached', facts: { handovers_max: 64 } });
  // The same attempt once more is no other one.
  await put(folder, 3);
  const one = scratch('stow');
  await expect(put(one, 1, Buffer.alloc((128 << 20) + 1))).rejects.toMatchObject({ code: 'limit_reached' });
  expect(readdirSync(one)).toEqual([]);
});

it('shows each project its own, sweeps by the time in the name, and leaves what it has not named', async () => {
  const folder = scratch('stow');
  await put(folder, 1);
  writeFileSync(join(folder, 'somebody.txt'), 'x');
  mkdirSync(join(folder, 'a-folder'));
  expect(await at(folder, { project: OTHER }).list()).toEqual([]);
  expect(await at(folder).list()).toMatchObject([{ attempt: idOf(1) }]);
  expect(await at(folder, { now: ENDS }).list()).toHaveLength(1);
  expect(await at(folder, { now: ENDS + 1, project: OTHER }).list()).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual(['a-folder', 'somebody.txt']);
});

it('is nothing where there is no folder, and makes none', async () => {
  const folder = join(scratch('stow'), 'none');
  expect(await at(folder).list()).toEqual([]);
  expect(() => readdirSync(folder)).toThrow('ENOENT');
});

it('is held by one, until that one lets go, is done with it, or is dead', async () => {
  const folder = scratch('stow');
  const stow = at(folder);
  const one = await put(folder, 1);
  const taken = await stow.take(one);
  expect(Buffer.from(await taken!.read()).toString()).toBe('hand-over 1');
  expect(await stow.take(one)).toBeUndefined();
  await taken!.letGo();
  const again = await stow.take(one);
  await again!.remove();
  expect(await stow.take(one)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  // Its number is beyond all that the kernel gives out.
  const other = await put(folder, 2);
  writeFileSync(join(folder, `${idOf(2)}.run`), JSON.stringify({ pid: 4_194_999, began: '1' }));
  expect(await stow.take(other)).toBeDefined();
});
