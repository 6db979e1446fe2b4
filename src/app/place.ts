// Where a ledger's head lives and is moved: this repository alone, or a remote with this repository as its copy.
// To the write path both are one thing: a head, and a compare-and-swap that may be lost.
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import { FETCHED_REFS, fetchedRef, LEDGER_REFS } from '../ledger/names.ts';
import type { PushOutcome, Remote } from '../ports/remote.ts';
import type { Change, Repository } from '../ports/repository.ts';

export interface Place {
  /** The head of a reference now; its objects can be read from the repository when this returns. */
  head(ref: string): Promise<Oid | undefined>;
  /** References of the ledgers that are there, in no order. */
  ledgers(): Promise<readonly string[]>;
  /** When it landed, the repository holds it too. */
  move(change: Change): Promise<PushOutcome>;
  /** The same, but our own copy of what landed elsewhere follows behind the answer; `head` and `upToDate` wait for it. */
  moveAhead(change: Change): Promise<PushOutcome>;
  /** Our own copy follows to a head that was verified, where that is a step forward for it. */
  keep(ref: string, head: Oid): Promise<void>;
  /** Whether asking for a head costs about as much as trying to move it. */
  readonly isFar: boolean;
  /**
   * Runs a job once our own copy has caught up: before it returns where that is at once, else behind it. Never throws:
   * what landed stays landed, and `upToDate` tells what went wrong behind it.
   */
  afterwards(job: () => Promise<void>): Promise<void>;
  /** Waits for copies and jobs, and throws what went wrong with them: what landed stays landed. */
  upToDate(): Promise<void>;
}

export function localPlace(repository: Repository): Place {
  let locked = 0;
  let failed: { readonly error: unknown } | undefined;

  async function move(change: Change): Promise<PushOutcome> {
    try {
      await repository.commit(change);
      return { is: 'landed' };
    } catch (error) {
      if (error instanceof Failure && error.code === 'head_moved') return { is: 'moved' };
      throw error;
    }
  }

  /** Whose caller tries again: another process of this clone at the lock is a race too, until it looks as if that one had died. */
  async function moveAhead(change: Change): Promise<PushOutcome> {
    try {
      const outcome = await move(change);
      locked = 0;
      return outcome;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'lock_held') throw error;
      locked += 1;
      if (Number(error.facts['ageSeconds']) < LOCK_AGE_MAX_SECONDS && locked < LOCKED_IN_A_ROW_MAX)
        return { is: 'moved', isHeld: true };
      locked = 0;
      throw error;
    }
  }

  return {
    head: (ref) => repository.resolve(ref),
    ledgers: async () => (await repository.list(LEDGER_REFS)).map(({ ref }) => ref),
    move,
    moveAhead,
    keep: () => Promise.resolve(),
    isFar: false,
    afterwards: async (job) => {
      await job().catch((error: unknown) => {
        failed ??= { error };
      });
    },
    upToDate: async () => {
      const told = failed;
      failed = undefined;
      if (told !== undefined) throw told.error;
    },
  };
}

/** git holds the lock of a reference for milliseconds; whoever holds it longer has died, or was stopped. */
const LOCK_AGE_MAX_SECONDS = 10;
/** With the pauses between them some five seconds: for a disk whose clock is not ours, so that ages mean nothing. */
const LOCKED_IN_A_ROW_MAX = 12;

export function remotePlace(repository: Repository, remote: Remote): Place {
  let behind: Promise<void> = Promise.resolve();
  let fetching: Promise<unknown> = Promise.resolve();
  let failed: { readonly error: unknown } | undefined;
  let isBehind = false;
  const lost = new Set<string>();

  /** One at a time: two that bring the same reference would stand in each other's way. */
  function fetched(ref: string, there?: Oid): Promise<Oid | undefined> {
    const mine = fetching.then(async () => {
      const here = await repository.resolve(fetchedRef(ref));
      if (there !== undefined && here === there) return there;
      await remote.fetch([ref], FETCHED_REFS, there === undefined ? undefined : new Map([[ref, there]]));
      return repository.resolve(fetchedRef(ref));
    });
    fetching = mine.catch(() => undefined);
    return mine;
  }

  async function caughtUp(): Promise<void> {
    const waited = behind;
    await waited.catch((error: unknown) => {
      failed ??= { error };
    });
    if (behind === waited) behind = Promise.resolve();
  }

  async function upToDate(): Promise<void> {
    await caughtUp();
    const told = failed;
    failed = undefined;
    if (told !== undefined) throw told.error;
  }

  async function moveAhead(change: Change): Promise<PushOutcome> {
    const outcome = await remote.push(change);
    if (outcome.is === 'landed') follow(() => copy(change));
    if (outcome.is === 'moved' || outcome.is === 'unknown') for (const { ref } of change.updates) lost.add(ref);
    return outcome;
  }

  async function copy(change: Change): Promise<void> {
    try {
      const refs = change.updates.filter(({ next }) => next !== undefined).map(({ ref }) => ref);
      // What we could not keep the last time is what this change stands on.
      if (isBehind) await remote.fetch(refs, FETCHED_REFS);
      await followLocally(repository, change);
      isBehind = false;
    } catch (cause) {
      isBehind = true;
      throw new Failure('copy_behind', { ref: change.updates.map(({ ref }) => ref) }, { cause, retry: 'later' });
    }
  }

  /** What fails stops what comes after it: a pin must not name what is not here. Told by `upToDate`; until somebody asks, that must not end the process. */
  function follow(job: () => Promise<void>): void {
    behind = behind.then(job);
    behind.catch(() => undefined);
  }

  return {
    isFar: true,
    upToDate,
    moveAhead,
    ledgers: async () => [...(await remote.heads([`${LEDGER_REFS}*`])).keys()],
    keep: (ref, head) => followLocally(repository, { objects: [], updates: [{ ref, old: head, next: head }] }),
    head: async (ref) => {
      await caughtUp();
      // Whoever lost a race knows that there is something new: one question to the remote instead of two.
      if (lost.delete(ref)) {
        const found = await fetched(ref).catch((error: unknown) => {
          if (error instanceof Failure && error.code === 'remote_ref_missing') return undefined;
          throw error;
        });
        if (found !== undefined) return found;
      }
      const there = (await remote.heads([ref])).get(ref);
      const isHere =
        there === undefined ||
        there === (await repository.resolve(ref)) ||
        there === (await repository.resolve(fetchedRef(ref)));
      return isHere ? there : fetched(ref, there);
    },
    move: async (change) => {
      const outcome = await moveAhead(change);
      await upToDate();
      return outcome;
    },
    afterwards: (job) => {
      follow(job);
      return Promise.resolve();
    },
  };
}

/** Keeps what landed, and moves our own references along where they were behind; elsewhere they stay as they are. */
async function followLocally(repository: Repository, { objects, updates }: Change): Promise<void> {
  const moves = [];
  for (const { ref, old, next } of updates) {
    const ours = await repository.resolve(ref);
    const follows =
      ours === undefined || ours === old || (old !== undefined && (await repository.isAncestor(ours, old)));
    if (follows && ours !== next) moves.push({ ref, old: ours, next });
  }
  if (objects.length === 0 && moves.length === 0) return;
  try {
    await repository.commit({ objects, updates: moves });
  } catch (error) {
    // Another process of this clone was quicker: the append is safe on the remote, and the next one catches up.
    if (!(error instanceof Failure && (error.code === 'head_moved' || error.code === 'lock_held'))) throw error;
    if (objects.length > 0) await repository.commit({ objects, updates: [] });
  }
}
