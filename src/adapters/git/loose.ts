// Objects in files of their own, for what must be deletable: nobody takes a pack apart for the sake of one object.
// Complete and synced before anybody can see them, as packs are.
import { mkdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { concat, utf8 } from '../../format/bytes.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { nameFile, syncFolder, writeAside } from '../system/disk.ts';

/** `objects` is the repository's folder of that name. Returns the folders to sync, so that the object keeps its name. */
export async function storeLoose(objects: string, { oid, type, body }: GitObject): Promise<readonly string[]> {
  const whole = concat([utf8(`${type} ${body.length}\0`), body]);
  const bytes = whole.length > SMALL_BYTES ? await deflated(whole) : deflateSync(whole, SMALL_ZLIB);
  // Written aside where packs are: what a killed writer leaves there is cleaned by the next one.
  const aside = await writeAside(join(objects, 'pack'), bytes);
  const folder = join(objects, fan(oid));
  const made = mkdirSync(folder, { recursive: true });
  nameFile(aside, pathOf(objects, oid));
  return made === undefined ? [folder] : [folder, objects];
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
/** Below this, another thread and zlib's usual buffers cost more than compressing. */
const SMALL_BYTES = 4096;
const SMALL_ZLIB = { memLevel: 4, windowBits: 12, chunkSize: 2048 };

function pathOf(objects: string, oid: Oid): string {
  return join(objects, fan(oid), oid.slice(2));
}

function fan(oid: Oid): string {
  return oid.slice(0, 2);
}
