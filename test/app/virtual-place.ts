// A machine whose time is counted and not waited for: writers with a remote between them, each step of which takes the
// milliseconds it is said to take, on as many cores as there are. The same seed is the same run. Knows nothing of turns.
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { pullLedgers } from '../../src/app/sync.ts';
import type { LedgerSession } from '../../src/app/ledger-session.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { ANA, member, type TestKey } from '../support/people.ts';
import { aMission, foundProject } from '../support/workbench.ts';
import { far } from './far.ts';
import { seat } from './seats.ts';

/** In milliseconds, each of them somewhere between half and one and a half of that. */
export type Costs = { readonly look: number; readonly fetch: number; readonly push: number; readonly cores: number };

/** Runs what each writer does with its session until all are done. */
export async function writing(
  keys: readonly TestKey[],
  { look, fetch, push, cores }: Costs,
  seed: number,
  write: (session: LedgerSession, number: number) => Promise<void>,
): Promise<void> {
  const time = new VirtualTime(seed, cores);
  const store = createMemoryRepository();
  const there = far(store, () => Promise.resolve());
  const first = createMemoryRepository();
  const founder = seat({ repository: first, remote: there.remoteOf(first, [][Symbol.iterator]()) });
  const runners = [...new Set(keys)].map((key) =>
    member(key, { principal_type: 'runner', person_id: null, roles: ['runner'] }),
  );
  await foundProject(founder, [member(ANA), ...runners]);
  const ref = await aMission(founder);
  await founder.place.upToDate();
  const seats = await Promise.all(
    keys.map(async (key) => {
      const near = createMemoryRepository();
      const quick = there.remoteOf(near, [][Symbol.iterator]());
      let isStarted = false;
      const taking = async (ms: number): Promise<void> => (isStarted ? time.work(ms) : undefined);
      const bench = seat({
        repository: near,
        remote: {
          ...quick,
          heads: async (refs) => {
            await taking(look);
            return quick.heads(refs);
          },
          fetch: async (...asked) => {
            await taking(fetch);
            return quick.fetch(...asked);
          },
          push: async (change) => {
            await taking(push);
            return quick.push(change);
          },
        },
        nowMs: () => time.nowMs,
        clock: { nowSeconds: () => 1_800_000_000 + Math.floor(time.nowMs / 1000) },
        backOff: (upToMs, atLeastMs = 0) => time.pass(atLeastMs + time.random() * (upToMs - atLeastMs)),
      });
      await pullLedgers(bench, [PROJECT_REF, ref]);
      const session = await bench.open(ref, key);
      await session.tip();
      return { session, start: () => (isStarted = true) };
    }),
  );
  for (const { start } of seats) start();
  await time.until(Promise.all(seats.map(({ session }, number) => write(session, number))));
}

class VirtualTime {
  nowMs = 0;
  #seed: number;
  #idle: number;
  readonly #line: (() => void)[] = [];
  readonly #due: { readonly atMs: number; readonly go: () => void }[] = [];

  constructor(seed: number, cores: number) {
    this.#seed = seed;
    this.#idle = cores;
  }

  random(): number {
    this.#seed = (this.#seed * 1103515245 + 12345) % 2 ** 31;
    return this.#seed / 2 ** 31;
  }

  pass(ms: number): Promise<void> {
    return new Promise((go) => this.#due.push({ atMs: this.nowMs + ms, go }));
  }

  /** On a core, once one is idle. */
  async work(ms: number): Promise<void> {
    if (this.#idle > 0) this.#idle -= 1;
    else await new Promise<void>((go) => this.#line.push(go));
    await this.pass(ms * (1 / 2 + this.random()));
    const next = this.#line.shift();
    if (next === undefined) this.#idle += 1;
    else next();
  }

  /** What comes next happens once everybody has done all that takes no time. */
  async until(job: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    job.then(over, over);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return void (await job);
      const next = this.#due.sort((one, other) => one.atMs - other.atMs).shift();
      if (next === undefined) continue;
      this.nowMs = next.atMs;
      next.go();
    }
  }
}
