// Work that is meant to hurt whoever takes it: each is refused with a reason, soon, and nothing of it is kept.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { Failure } from '../../../src/failure.ts';
import type { CellSpec } from '../../../src/ports/cells.ts';
import { passableScratch, project, runIn, testCells } from '../../support/cells.ts';

const IDENTITY = { name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1_700_000_000, message: 'work\n' };
const MB = 1 << 20;

async function left(shellText: string, changes: Partial<CellSpec> = {}) {
  const folder = passableScratch();
  const base = project({ 'a.txt': 'one\n', '.gitignore': 'ignored/\n' });
  const { cell, exit } = await runIn(await testCells(folder), shellText, { project: base, ...changes });
  expect(exit).toMatchObject({ reason: 'exited', code: 0 });
  return {
    cell,
    kept: () => (existsSync(join(folder, 'work')) ? readdirSync(join(folder, 'work')) : []),
  };
}

test.each([
  ['three gigabytes in sparse files', 'truncate -s 1600M a.bin b.bin', 'bytes'],
  ['a file of the base made as large', 'truncate -s 1600M a.txt', 'bytes'],
  ['twenty thousand files and one', 'mkdir many; cd many; seq 20001 | xargs touch', 'files'],
  [
    'a path that Git cannot open',
    `perl -e 'my $d = "d" x 200; for (1..21) { mkdir $d; chdir $d } open my $f, ">", "f"'`,
    'path',
  ],
])('%s', async (_, shellText, why) => {
  const { cell, kept } = await left(shellText);
  await expect(cell.takeWork(IDENTITY)).rejects.toMatchObject({
    code: 'work_too_large',
    facts: { why: expect.stringContaining(why) },
  });
  expect(kept()).toEqual([]);
  expect(Object.values(await cell.close())).toEqual(Array(8).fill(0));
});

test('the step that takes it has no more memory than the cell had', async () => {
  const { cell } = await left('head -c 200000000 /dev/zero > large; seq 2000 | xargs -I% cp a.txt copy%', {
    limits: { memoryBytes: 64 * MB },
  });
  const work = await cell.takeWork(IDENTITY);
  expect(await workRepositories.readDiff(work.repository, work.base, work.tree)).toHaveLength(2001);
  await cell.close();
});

test('a host that refuses the pack at its first bytes does not wait for the rest', async () => {
  const folder = passableScratch();
  const refusing = {
    ...workRepositories,
    async receive({ pack }: Parameters<typeof workRepositories.receive>[0]): Promise<never> {
      for await (const chunk of pack) throw new Failure('work_refused', { bytes: chunk.length });
      throw new Error('nothing came');
    },
  };
  const cells = await openCells({ folder, repositories: refusing });
  const { cell } = await runIn(cells, 'head -c 50000000 /dev/urandom > noise', { project: project({ a: 'x\n' }) });
  await expect(cell.takeWork(IDENTITY)).rejects.toMatchObject({
    code: 'work_refused',
    facts: { bytes: expect.anything() },
  });
  expect(Object.values(await cell.close())).toEqual(Array(8).fill(0));
});

test('what is neither file, folder nor link is left out, and named', async () => {
  const { cell } = await left('mkfifo pipe; mkdir ignored; echo x > ignored/x; echo two > a.txt');
  const work = await cell.takeWork(IDENTITY);
  expect(work.dropped).toEqual({ count: 2, paths: ['pipe', 'ignored/x'] });
  await cell.close();
});

const SECRET = 'correct-horse-battery';
test.each([
  ['in a file', `printf 'key: ${SECRET}' > a.txt`],
  ['in base64, as part of more', `printf 'user:${SECRET}' | base64 > a.txt`],
  ['in the name of a file', `touch ${SECRET}.txt`],
])('a secret of the host %s', async (_, shellText) => {
  const { cell, kept } = await left(shellText, { canaries: [SECRET, 'x'] });
  await expect(cell.takeWork(IDENTITY)).rejects.toMatchObject({ code: 'work_holds_secret', facts: {} });
  expect(kept()).toEqual([]);
  await cell.close();
});

test('a flood that ends by itself at its limit brings nobody down', async () => {
  const cells = await testCells();
  for (let i = 0; i < 12; i++) {
    const { cell, exit } = await runIn(cells, `head -c ${65_000 + i * 100} /dev/zero; exit 0`, {
      limits: { outputBytes: 60_000 },
    });
    expect(['exited', 'output_limit']).toContain(exit.reason);
    await cell.close();
  }
});
