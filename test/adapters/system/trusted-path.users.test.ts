// Who besides root and oneself could put something else where a path leads.
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { othersCanChange } from '../../../src/adapters/system/trusted-path.ts';
import { scratch } from '../../support/repos.ts';

const KEEPER = 61_001;
const JOB = 61_002;

function file(): { folder: string; path: string } {
  const folder = join(scratch('trusted'), 'folder');
  mkdirSync(folder, { mode: 0o755 });
  const path = join(folder, 'file');
  writeFileSync(path, '', { mode: 0o644 });
  return { folder, path };
}

it('is nobody for what is root’s or one’s own, below a folder like /tmp too', async () => {
  const { folder, path } = file();
  expect(await othersCanChange(path, KEEPER)).toBeUndefined();
  for (const one of [folder, path]) chownSync(one, KEEPER, KEEPER);
  expect(await othersCanChange(path, KEEPER)).toBeUndefined();
});

it('is whoever owns it, may write it, or owns or may write a folder above it', async () => {
  const owned = file();
  chownSync(owned.path, JOB, JOB);
  expect(await othersCanChange(owned.path, KEEPER)).toBe(owned.path);
  const open = file();
  chmodSync(open.path, 0o664);
  expect(await othersCanChange(open.path, KEEPER)).toBe(open.path);
  const above = file();
  chownSync(above.folder, JOB, JOB);
  expect(await othersCanChange(above.path, KEEPER)).toBe(above.folder);
  const shared = file();
  chmodSync(shared.folder, 0o777);
  expect(await othersCanChange(shared.path, KEEPER)).toBe(shared.folder);
});

it('follows links to where they lead', async () => {
  const { folder, path } = file();
  const theirs = file();
  chownSync(theirs.path, JOB, JOB);
  symlinkSync(theirs.path, join(folder, 'link'));
  expect(await othersCanChange(join(folder, 'link'), KEEPER)).toBe(theirs.path);
  expect(await othersCanChange(`${path}-not-there`, KEEPER)).toBe(`${path}-not-there`);
});
