// Work that was handed over lies beside the ledgers as long as its mission may still deliver it. Whoever has looked at all
// missions takes away what belongs to none that is open: policy says for how long work can be had that became nothing.
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import { INCOMING_REFS, incomingRef } from '../../ledger/names.ts';
import { refsBelow } from '../refs-below.ts';
import type { Workbench } from '../workbench.ts';

/** At a time: anybody who may push can leave more. */
const SWEPT_MAX = 500;

/** Looked at before the missions are: what is handed over meanwhile is none of this. */
export function incomingHeads(bench: Workbench): Promise<ReadonlyMap<string, Oid>> {
  return refsBelow(bench, INCOMING_REFS);
}

/** `open`: the attempts of all missions that are not over. */
export async function sweepIncoming(
  { place }: Workbench,
  heads: ReadonlyMap<string, Oid>,
  open: ReadonlySet<string>,
): Promise<void> {
  const needed = new Set([...open].map(incomingRef));
  const over = [...heads].filter(([ref]) => !needed.has(ref)).slice(0, SWEPT_MAX);
  if (over.length === 0) return;
  const updates = over.map(([ref, old]) => ({ ref, old, next: undefined }));
  try {
    await place.move({ objects: [], updates });
  } catch (error) {
    // The next one sweeps again; no mission waits for it.
    if (!(error instanceof Failure)) throw error;
  }
}
