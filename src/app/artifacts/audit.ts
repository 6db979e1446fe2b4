// Holds the shelves of a ledger against what the ledger says: what should be here is, and is what was recorded; what
// was erased is not. Reads only.
import { digestHex, digestOfHex } from '../../format/artifact.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Watch, Workbench } from '../workbench.ts';
import { copiesOf } from './copies.ts';
import { readStored } from './open.ts';
import { recordedArtifacts, type Recorded } from './recorded.ts';
import { shelvesHere } from './shelf.ts';

export type Finding = {
  readonly artifact: Recorded;
  /** `lingering`: erased, and the bytes are here all the same. */
  readonly is: 'sound' | 'missing' | 'corrupt' | 'erased' | 'lingering';
};

export type Audit = {
  readonly findings: readonly Finding[];
  /** On a shelf, and named by no event. */
  readonly unnamed: readonly string[];
};

export async function auditArtifacts(bench: Workbench, ref: string, watch: Watch = {}): Promise<Audit> {
  const recorded = await recordedArtifacts(bench, ref, watch);
  const shelves = await shelvesHere(bench, ledgerName(ref));
  const left = await copiesOf(
    bench,
    [...recorded.values()].filter(({ erased }) => erased !== undefined),
  );
  const findings: Finding[] = [];
  for (const artifact of recorded.values()) {
    watch.signal?.throwIfAborted();
    if (artifact.erased === undefined) {
      findings.push({ artifact, is: (await readStored(bench, shelves, artifact)).is });
      continue;
    }
    findings.push({ artifact, is: left.has(artifact.digest) ? 'lingering' : 'erased' });
  }
  const named = new Set([...recorded.keys()].map(digestHex));
  const unnamed = new Set(shelves.flatMap(({ blobs }) => [...blobs.keys()]).filter((digits) => !named.has(digits)));
  return { findings, unnamed: [...unnamed].map(digestOfHex) };
}

/** Bytes that the ledger promises and that are not to be had here. */
export function isUnsound({ is }: Finding): boolean {
  return is === 'missing' || is === 'corrupt';
}
