// Sends artifacts that were added here alone to a remote, so that a ledger can follow whose every artifact is there
// already. Adds to the remote's shelf, takes nothing off it.
import { artifactDigest, digestHex, digestOfHex } from '../../format/artifact.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { artifactsRef, ledgerName } from '../../ledger/names.ts';
import { moveBeside, type Laid } from '../move-beside.ts';
import type { Watch, Workbench } from '../workbench.ts';
import { knownArtifacts } from './recorded.ts';
import { readShelf, refuseFull } from './shelf.ts';
import { add, holds, shelfTip, type Addition } from './shelf-tip.ts';

/** How many artifacts were sent. To be called before the ledger itself is pushed. */
export async function sendArtifacts(bench: Workbench, ref: string, watch: Watch = {}): Promise<number> {
  const shelf = artifactsRef(ledgerName(ref));
  // The usual ledger has no artifacts: then nothing is read and nobody is asked.
  if ((await bench.parts.repository.resolve(shelf)) === undefined) return 0;
  const { artifacts } = await knownArtifacts(bench, ref, watch);
  const wanted = [...artifacts.values()].filter(({ erased }) => erased === undefined);
  const digests = new Set(wanted.map(({ digest }) => digestHex(digest)));
  let sent = 0;
  for (;;) {
    const count = await moveBeside(bench.parts, bench.place, shelf, (old) => nextBatch(bench, { shelf, old }, digests));
    if (count === 0) return sent;
    sent += count;
  }
}

/** A push is made in memory: more than this goes in several. */
const BATCH_BYTES_MAX = 64 * 1024 * 1024;

async function nextBatch(
  { parts }: Workbench,
  { shelf, old }: { readonly shelf: string; readonly old: Oid | undefined },
  digests: ReadonlySet<string>,
): Promise<Laid<number>> {
  const { repository } = parts;
  const there = await shelfTip(parts.crypto, repository, await readShelf(repository, old));
  const here = await readShelf(repository, await repository.resolve(shelf));
  const absent = [...here.blobs].filter(([digest]) => digests.has(digest) && !holds(there, digest));
  if (absent.length === 0) return { value: 0 };
  const sizes = await repository.sizes(absent.map(([, oid]) => oid));
  const batch: Addition[] = [];
  let bytes = 0;
  for (const [i, [digest, oid]] of absent.entries()) {
    const size = sizes[i];
    if (size === undefined) throw new Failure('artifact_missing', { digest: digestOfHex(digest) });
    if (batch.length > 0 && bytes + size > BATCH_BYTES_MAX) break;
    batch.push({ digest, oid, bytes: size });
    bytes += size;
  }
  refuseFull(there, { bytes, count: batch.length });
  const blobs: GitObject[] = [];
  for await (const object of repository.read(batch.map(({ oid }) => oid))) {
    const digest = digestOfHex(batch[blobs.length]!.digest);
    if (artifactDigest(parts.crypto, object.body) !== digest) throw new Failure('artifact_corrupt', { digest });
    blobs.push({ ...object, deletable: true });
  }
  const { after, objects } = add(parts.crypto, there, batch);
  return { value: batch.length, next: after.head, objects: [...blobs, ...objects] };
}
