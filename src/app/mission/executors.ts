// How each effect is looked for and caused. Every one of them can be asked for after a crash: a branch by its name and
// commit, a pull request by its head and base, a comment by its author and the hash of its words.
import type { Executor, Executors, Seen } from '../../ports/effects.ts';
import type { Workbench } from '../workbench.ts';

/** Branches of the place where the ledgers live: a repository of one's own, or the remote. Created, never moved. */
export function branchExecutors({ place }: Workbench): Pick<Executors, 'push_branch' | 'write_local_branch'> {
  const branch: Executor<'push_branch'> & Executor<'write_local_branch'> = {
    // A reference that has to be absent before: the second of two is refused.
    isIdempotent: true,
    observe: async (spec) => seen(await place.head(`refs/heads/${spec.branch}`), spec.commit),
    apply: async (spec) => {
      // The objects came with the hand-over; a server that does not have them refuses the reference.
      const change = {
        objects: [],
        updates: [{ ref: `refs/heads/${spec.branch}`, old: undefined, next: spec.commit }],
      };
      await place.move(change);
    },
  };
  return { push_branch: branch, write_local_branch: branch };
}

function seen(found: string | undefined, wanted: string): Seen {
  if (found === undefined) return { is: 'absent' };
  if (found === wanted) return { is: 'applied', oid: found, number: null };
  return { is: 'refused', reason: 'branch_taken' };
}
