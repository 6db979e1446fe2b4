// Brings the artifacts of ledgers from the remote, as they are there now: what was erased there comes no more. Nothing of
// them is believed here; whoever opens one holds it against the digest that an event names.
import { artifactsRef, FETCHED_REFS, fetchedRef, ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import type { Workbench } from '../workbench.ts';

/** One question for all of them, and one more where something is new. */
export async function fetchArtifacts({ parts }: Workbench, refs: readonly string[]): Promise<void> {
  const { remote, repository } = parts;
  const shelves = refs.filter((ref) => ref !== PROJECT_REF).map((ref) => artifactsRef(ledgerName(ref)));
  if (remote === undefined || shelves.length === 0) return;
  const there = await remote.heads(shelves);
  const stale = [];
  for (const [ref, head] of there) if ((await repository.resolve(fetchedRef(ref))) !== head) stale.push(ref);
  if (stale.length > 0) await remote.fetch(stale, FETCHED_REFS, there);
}
