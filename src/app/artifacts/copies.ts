// Copies of artifacts in the object store, whether a reference leads to them or not. What a fetch, a crash or a restored
// backup left behind is no less readable for being unreachable.
import { artifactDigest, SALT_BYTES } from '../../format/artifact.ts';
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import type { Workbench } from '../workbench.ts';
import type { Recorded } from './recorded.ts';

/** Where the bytes of these artifacts lie, by digest; an artifact that is nowhere is not in the answer. */
export async function copiesOf(
  bench: Workbench,
  artifacts: readonly Pick<Recorded, 'digest' | 'bytes'>[],
): Promise<ReadonlyMap<string, readonly Oid[]>> {
  const wanted = new Set(artifacts.map(({ digest }) => digest));
  const sizes = new Set(artifacts.map(({ bytes }) => SALT_BYTES + bytes));
  const found = new Map<string, Oid[]>();
  for (const oid of await bench.parts.repository.blobsOfSizes(sizes)) {
    const body = await bodyOf(bench, oid);
    const digest = body === undefined ? '' : artifactDigest(bench.parts.crypto, body);
    if (wanted.has(digest)) found.set(digest, [...(found.get(digest) ?? []), oid]);
  }
  return found;
}

/** Undefined for an absent object; an object that git cannot even unpack is one with other bytes. */
export async function bodyOf({ parts }: Workbench, oid: Oid): Promise<Uint8Array | undefined> {
  try {
    for await (const { body } of parts.repository.read([oid])) return body;
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'object_missing') return undefined;
    if (error.code === 'object_corrupt' || error.code === 'object_too_large') return new Uint8Array(0);
    throw error;
  }
}
