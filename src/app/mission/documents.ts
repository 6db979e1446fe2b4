// Reading back what an event names by digest: proposals, plans, effects. The digest is checked before a byte is believed.
import { artifactDigest, digestHex, storedPart } from '../../format/artifact.ts';
import { Failure } from '../../failure.ts';
import { ledgerName } from '../../ledger/names.ts';
import { bodyOf } from '../artifacts/copies.ts';
import { shelvesHere } from '../artifacts/shelf.ts';
import type { Workbench } from '../workbench.ts';

/** For documents that were put there unencrypted; an erased one is missing. */
export async function readDocument(bench: Workbench, ref: string, digest: string): Promise<Uint8Array> {
  for (const { blobs } of await shelvesHere(bench, ledgerName(ref))) {
    const oid = blobs.get(digestHex(digest));
    const blob = oid === undefined ? undefined : await bodyOf(bench, oid);
    const stored = blob === undefined ? undefined : storedPart(blob);
    if (blob !== undefined && stored !== undefined && artifactDigest(bench.parts.crypto, blob) === digest)
      return stored;
  }
  throw new Failure('artifact_missing', { ledger: ledgerName(ref), digest });
}
