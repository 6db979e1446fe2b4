// While a cell runs: looks now and then whether its mission was called off meanwhile, and says so by a signal. Ends nothing
// itself. Where nobody can look the cell goes on, and its lease is the limit; what it hands over then counts for nothing.
import { Failure } from '../../failure.ts';
import { missionState, type Acting } from './world.ts';

export type Lookout = {
  /** Aborted once the ledger says that the mission is cancelled. */
  readonly cancelled: AbortSignal;
  /** Looks no more, and has nothing left behind when this returns. */
  close(): Promise<void>;
};

/** Resolves when it is time to look again, and at once when the signal is aborted. */
export type UntilNextLook = (over: AbortSignal) => Promise<void>;

export function lookOut(acting: Acting, untilNextLook: UntilNextLook): Lookout {
  const cancelled = new AbortController();
  const over = new AbortController();
  const looking = (async () => {
    const isCancelled = await looker(acting);
    while (!over.signal.aborted) {
      await untilNextLook(over.signal);
      if (over.signal.aborted) return;
      if (await isCancelled()) return cancelled.abort();
    }
  })();
  // Told by whoever closes it.
  looking.catch(() => undefined);
  return {
    cancelled: cancelled.signal,
    async close() {
      over.abort();
      await looking;
    },
  };
}

/** One reference is looked at; the ledger is read only where that has moved. */
async function looker(acting: Acting): Promise<() => Promise<boolean>> {
  const { ref, world, desk } = acting;
  let seen: string | undefined = (await desk.head()).oid;
  return async () => {
    try {
      const head = await world.bench.place.head(ref);
      if (head === seen) return false;
      const { course } = await missionState(acting);
      seen = head;
      return course !== undefined && course.cancelled !== null;
    } catch (error) {
      // A remote that does not answer, a ledger that does not verify: whoever writes next is told of it.
      if (error instanceof Failure) return false;
      throw error;
    }
  };
}
