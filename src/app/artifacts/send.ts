// Sends artifacts that were added here alone to a remote, so that a ledger can follow whose every artifact is there
// already. Adds to the remote's shelf, takes nothing off it.
import { artifactDigest, digestHex, digestOfHex } from '../../format/artifact.ts';
import type { GitObject } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { artifactsRef, ledgerName } from '../../ledger/names.ts';
import type { Change } from '../../ports/repository.ts';
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
  for (let attempt = 1; ;) {
    const batch = await nextBatch(bench, shelf, digests);
    if (batch === undefined) return sent;
    const outcome = await bench.place.move(batch.change);
    if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
    if (outcome.is === 'landed') {
      sent += batch.count;
      attempt = 1;
      continue;
    }
    if (attempt >= ATTEMPTS_MAX)
      throw new Failure('head_moved', { ref: shelf, attempts: attempt }, { retry: 'reload' });
    attempt += 1;
    await bench.parts.backOff(BACK_OFF_MS);
  }
}

/** A push is made in memory: more than this goes in several. */
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
const ATTEMPTS_MAX = 20;
const BACK_OFF_MS = 200;

async function nextBatch(
  { parts, place }: Workbench,
  ref: string,
  digests: ReadonlySet<string>,
): Promise<{ readonly change: Change; readonly count: number } | undefined> {
  const { repository } = parts;
  const there = await shelfTip(parts.crypto, repository, await readShelf(repository, await place.head(ref)));
  const here = await readShelf(repository, await repository.resolve(ref));
  const absent = [...here.blobs].filter(([digest]) => digests.has(digest) && !holds(there, digest));
  if (absent.length === 0) return undefined;
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
  const change = { objects: [...blobs, ...objects], updates: [{ ref, old: there.head, next: after.head }] };
  return { change, count: batch.length };
}
