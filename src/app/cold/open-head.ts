// The first look at a remote ledger: its head with the trees at its top, a few kilobytes at any length. Believes nothing
// of it, but knows at once when it is older than what was seen before.
import { Failure } from '../../failure.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import { refuse } from '../../kernel/verdict.ts';
import { FETCHED_REFS, fetchedRef, ledgerName } from '../../ledger/names.ts';
import { readCommit, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import { readObject, type ColdWorld } from './cold-world.ts';

export async function openHead({ crypto, part }: ColdWorld, ref: string, pin: Pin): Promise<Verdict<ReadCommit>> {
  try {
    await part.remote.fetchPart({ wants: [ref], commitsMax: 1, treeDepth: 2 }, FETCHED_REFS);
  } catch (error) {
    if (error instanceof Failure && error.code === 'remote_ref_missing') return fallen(ref, pin, 0);
    throw error;
  }
  const oid = await part.repository.resolve(fetchedRef(ref));
  if (oid === undefined) return fallen(ref, pin, 0);
  const read = readCommit(crypto, await readObject(crypto, part, oid));
  if (read.is === 'refused') return refuse(read.code, { ...read.facts, ledger: ledgerName(ref), commit: oid });
  const { size } = read.value.claims;
  // A ledger only grows: the pinned head cannot lie behind a head that is no larger.
  return oid === pin.head.oid || size > pin.head.size ? read : fallen(ref, pin, size, oid);
}

/** A head, or no head at all, that cannot have the pinned one behind it. */
export function fallen(ref: string, pin: Pin, size: number, found?: string): Verdict<never> {
  const facts = { ledger: ledgerName(ref), pinned_size: pin.head.size, pinned: pin.head.oid, size };
  const code = size < pin.head.size ? 'rollback_detected' : 'fork_detected';
  return refuse(code, found === undefined ? facts : { ...facts, found });
}
