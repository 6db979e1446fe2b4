// The files that ship with lazarus as starting points: policy, sacred scopes, examples. Bytes only; nobody else's paths.
import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../templates/', import.meta.url);

/** The same place from the sources and from the build. */
export async function readTemplate(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(name, FOLDER)));
}
