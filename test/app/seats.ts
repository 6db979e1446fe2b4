// People at one ledger with everything around them replaceable: what stands between them and the remote, their pins,
// clock and repository. In memory where the disk is not the point.
import { onTestFinished } from 'vitest';
import { openRemote, type RemoteOptions } from '../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { appendWanted, type Wanted } from '../../src/app/append.ts';
import type { Submission } from '../../src/app/ledger-session.ts';
import type { Workbench, WorkbenchParts } from '../../src/app/workbench.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Pin, Pins } from '../../src/ports/pins.ts';
import type { Remote } from '../../src/ports/remote.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { ANA, BO, member } from '../support/people.ts';
import { aMission, benchOver, foundProject } from '../support/workbench.ts';

type Seat = Partial<WorkbenchParts> & { readonly repository: Repository };

export function seat({ repository, ...parts }: Seat): Workbench {
  return benchOver(repository, {
    pins: memoryPins(),
    clock: { nowSeconds: () => 1_800_000_000 },
    backOff: () => Promise.resolve(),
    ...parts,
  });
}

function memoryPins(): Pins & { readonly all: Map<string, Pin> } {
  const all = new Map<string, Pin>();
  return {
    all,
    read: (ledger) => Promise.resolve(all.get(ledger)),
    write: async (ledger, pin) => void all.set(ledger, pin),
  };
}

/** Somebody at a clone on disk, with or without a remote. Not closed when the test ends: `bench.close` may be its point. */
export async function seatAt(
  folder: string,
  url?: string,
  changes: {
    readonly remote?: (remote: Remote) => Remote;
    readonly pins?: (pins: Pins) => Pins;
    readonly options?: Partial<RemoteOptions>;
    readonly clock?: Clock;
    readonly repository?: (repository: Repository) => Repository;
    readonly backOff?: () => Promise<void>;
  } = {},
): Promise<Workbench> {
  const { remote: wrap = (one) => one, pins = (one) => one, repository: around = (one) => one, options } = changes;
  const repository = around(await openRepository(folder));
  onTestFinished(() => repository.close());
  const opened =
    url === undefined
      ? undefined
      : wrap(await openRemote({ repository, cwd: folder, where: { url }, env: {}, ...options }));
  onTestFinished(() => opened?.close());
  return seat({
    repository,
    ...(opened === undefined ? {} : { remote: opened }),
    pins: pins(filePins(repository.stateDir)),
    ...(changes.clock === undefined ? {} : { clock: changes.clock }),
    ...(changes.backOff === undefined ? {} : { backOff: changes.backOff }),
  });
}

export type InMemory = { readonly repository: Repository; readonly bench: Workbench; readonly ref: string };

/** A project of ana and bo with one mission, in memory. */
export async function inMemory(): Promise<InMemory> {
  const repository = createMemoryRepository();
  const bench = seat({ repository });
  return { repository, bench, ref: await beginAt(bench) };
}

export async function beginAt(bench: Workbench): Promise<string> {
  await foundProject(bench, [member(ANA), member(BO)]);
  return aMission(bench);
}

/** A submission that counts how often it was decided. */
export function counted(wanted: readonly Wanted[]): Submission & { readonly decisions: () => number } {
  const { decide } = appendWanted(wanted, systemIds);
  let decisions = 0;
  return {
    decisions: () => decisions,
    decide: (state, at) => {
      decisions += 1;
      return decide(state, at);
    },
  };
}

/** The repository with something that happens before each commit, as a rival would. */
export function before(repository: Repository, happens: () => Promise<void>): Repository {
  return around(repository, {
    commit: async (change) => {
      await happens();
      await repository.commit(change);
    },
  });
}

/** Some answers replaced, all others the repository's own. */
export function around(repository: Repository, changes: Partial<Repository>): Repository {
  return new Proxy(repository, {
    get(target, name) {
      const own = Reflect.get(changes, name) as unknown;
      if (own !== undefined) return own;
      const theirs = Reflect.get(target, name, target) as unknown;
      return typeof theirs === 'function' ? theirs.bind(target) : theirs;
    },
  });
}
