// Where a ledger's head lives and is moved: this repository alone, or a remote with this repository as its copy.
// To the write path both are one thing: a head, and a compare-and-swap that may be lost.
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import type { PushOutcome, Remote } from '../ports/remote.ts';
import type { Change, Repository } from '../ports/repository.ts';

export interface Place {
  /** The head of a reference now; its objects can be read from the repository when this returns. */
  head(ref: string): Promise<Oid | undefined>;
  move(change: Change): Promise<PushOutcome>;
}

export function localPlace(repository: Repository): Place {
  return {
    head: (ref) => repository.resolve(ref),
    move: async (change) => {
      try {
        await repository.commit(change);
        return { is: 'landed' };
      } catch (error) {
        if (error instanceof Failure && error.code === 'head_moved') return { is: 'moved' };
        throw error;
      }
    },
  };
}

/** Fetched heads are kept apart from this repository's own, so that a lying remote never moves one of ours. */
export const FETCHED_REFS = 'refs/lazarus/fetched/';

export function remotePlace(repository: Repository, remote: Remote): Place {
  return {
    head: async (ref) => {
      const there = (await remote.heads([ref])).get(ref);
      if (
        there === undefined ||
        there === (await repository.resolve(ref)) ||
        there === (await repository.resolve(fetchedRef(ref)))
      )
        return there;
      await remote.fetch([ref], FETCHED_REFS);
      return repository.resolve(fetchedRef(ref));
    },
    move: async (change) => {
      const outcome = await remote.push(change);
      if (outcome.is === 'landed') await followLocally(repository, change);
      return outcome;
    },
  };
}

export function fetchedRef(ref: string): string {
  return FETCHED_REFS + ref.replace(/^refs\//, '');
}

/** Keeps what landed, and moves our own references along where they were behind; elsewhere they stay as they are. */
async function followLocally(repository: Repository, { objects, updates }: Change): Promise<void> {
  const moves = [];
  for (const { ref, old, next } of updates) {
    const ours = await repository.resolve(ref);
    const follows =
      ours === undefined || ours === old || (old !== undefined && (await repository.isAncestor(ours, old)));
    if (follows) moves.push({ ref, old: ours, next });
  }
  try {
    await repository.commit({ objects, updates: moves });
  } catch (error) {
    // Another process of this clone was quicker: the append is safe on the remote, and the next one catches up.
    if (!(error instanceof Failure && (error.code === 'head_moved' || error.code === 'lock_held'))) throw error;
    await repository.commit({ objects, updates: [] });
  }
}
