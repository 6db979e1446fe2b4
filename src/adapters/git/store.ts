// Puts objects into the local object store as one pack: complete and synced before anybody can see it. That its name
// lasts is for the caller to make sure of, who may have more to sync at the same time.
// A crash at any byte leaves either nothing, a file that is cleaned later, or a pack that no reference needs.
import { join } from 'node:path';
import { hex } from '../../format/bytes.ts';
import type { GitObject } from '../../format/git/object.ts';
import { nameFile, writeAside } from '../system/disk.ts';
import { encodePackIndex } from './pack-index.ts';
import { layOutPack } from './pack.ts';

export type StorePoint = 'pack_written' | 'pack_named' | 'index_named';

/** Returns the name of the pack, without folder and ending. */
export async function storePack(
  folder: string,
  objects: readonly GitObject[],
  onPoint: (point: StorePoint) => void,
): Promise<string> {
  const pack = layOutPack(objects, { thin: false });
  const name = `pack-${hex(pack.checksum)}`;
  const [packFile, indexFile] = await writeBoth(folder, pack.bytes, encodePackIndex(pack));
  onPoint('pack_written');
  // In this order: git looks for the index and expects the pack beside it.
  nameFile(packFile, join(folder, `${name}.pack`));
  onPoint('pack_named');
  nameFile(indexFile, join(folder, `${name}.idx`));
  onPoint('index_named');
  return name;
}

async function writeBoth(folder: string, pack: Uint8Array, index: Uint8Array): Promise<[string, string]> {
  const [packFile, indexFile] = await Promise.all([writeAside(folder, pack), writeAside(folder, index)]);
  return [packFile, indexFile];
}
