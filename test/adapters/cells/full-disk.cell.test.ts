// A disk without room, wherever a cell needs some: each time that is what is said, and what is in the way can be removed. The disk
// is a real one, a few megabytes of memory that only a view of this machine has.
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { passableScratch, project } from '../../support/cells.ts';
import { scratch } from '../../support/repos.ts';
import { made } from '../../support/environments.ts';
import { supervising, type Told } from './supervising.ts';
import type { SupervisorOptions } from './supervisor.ts';

const start = supervising();
const MB = 1 << 20;
const writes = (megabytes: number): string => `head -c ${megabytes * MB} /dev/urandom > large.bin`;
const { environment } = made(`mkdir deps; cd deps; ${writes(6)}`);

/** What was told on a disk of so many megabytes. */
async function onDiskOf(megabytes: number, options: SupervisorOptions): Promise<readonly Told[]> {
  const disk = ['--perms', '0711', '--size', String(megabytes * MB), '--tmpfs'];
  const folder = passableScratch();
  return start(folder, options, { through: ['bwrap', '--dev-bind', '/', '/', ...disk, folder, '--'] }).all;
}

const FULL = { is: 'refused', code: 'disk_full' };

test('for the folders of a cell', async () => {
  const brief = { 'brief.md': 'x'.repeat(MB / 16) };
  expect(await onDiskOf(1 / 32, { shellText: 'true', brief })).toMatchObject([{ is: 'probe' }, FULL]);
});

test('for the project that is laid out', async () => {
  expect(
    await onDiskOf(4, { shellText: 'true', project: project({ 'large.bin': randomBytes(6 * MB) }) }),
  ).toMatchObject([{ is: 'probe' }, FULL]);
});

test.each([
  ['where its objects are made', 6, 10],
  ['where they become a commit of the host’s', 5, 14],
])('for the work that is taken: %s', async (_, megabytes, disk) => {
  const told = await onDiskOf(disk, {
    shellText: writes(megabytes),
    project: project({ 'a.txt': 'one\n' }),
    takesWork: true,
  });
  expect(told).toMatchObject([{ is: 'probe' }, { is: 'running' }, { is: 'ended', exit: { code: 0 } }, FULL]);
});

test('for what was prepared and is to be kept', async () => {
  expect(await onDiskOf(9, { shellText: 'true', project: project({ 'a.txt': 'one\n' }), environment })).toMatchObject([
    { is: 'probe' },
    FULL,
  ]);
});

test('and none for taking a folder away', async () => {
  const script = join(scratch('script'), 'remove.mjs');
  const contents = "import { removeTree } from './remove-tree.ts'; await removeTree(process.argv[2]);";
  const resolveDir = new URL('../../../src/adapters/cells', import.meta.url).pathname;
  await build({ stdin: { contents, resolveDir }, outfile: script, bundle: true, platform: 'node', format: 'esm' });
  const disk = scratch('disk');
  const text = `set -e
mount -t tmpfs -o nr_inodes=40 none "$1"; cd "$1"
mkdir -p tree/a/b tree/c; chmod 0 tree/c
n=0; while touch "tree/a/b/$n" 2> /dev/null; do n=$((n + 1)); done
! mkdir no-room 2> /dev/null
"$2" "$3" "$1/tree"
ls "$1" | wc -l`;
  const args = ['--user', '--map-root-user', '--mount', '/bin/sh', '-c', text, 'sh', disk, process.execPath, script];
  expect(execFileSync('unshare', args, { encoding: 'utf8' })).toBe('0\n');
});
