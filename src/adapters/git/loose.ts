// Objects in files of their own, for what must be deletable: nobody takes a pack apart for the sake of one object.
// Complete and synced before anybody can see them, as packs are.
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { concat, utf8 } from '../../format/bytes.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { nameFile, syncFolder, writeAside } from './disk.ts';

/** `objects` is the repository's folder of that name. */
export async function storeLoose(objects: string, { oid, type, body }: GitObject): Promise<void> {
  const bytes = await deflated(concat([utf8(`${type} ${body.length}\0`), body]));
  // Written aside where packs are: what a killed writer leaves there is cleaned by the next one.
  const aside = await writeAside(join(objects, 'pack'), bytes);
  const made = await mkdir(join(objects, fan(oid)), { recursive: true });
  await nameFile(aside, pathOf(objects, oid));
  await syncFolder(join(objects, fan(oid)));
  if (made !== undefined) await syncFolder(objects);
}

export async function deleteLoose(objects: string, oid: Oid): Promise<void> {
  try {
    await unlink(pathOf(objects, oid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  await syncFolder(join(objects, fan(oid)));
}

const deflated = promisify(deflate);

function pathOf(objects: string, oid: Oid): string {
  return join(objects, fan(oid), oid.slice(2));
}

function fan(oid: Oid): string {
  return oid.slice(0, 2);
}
