// People at one ledger with everything around them replaceable: what stands between them and the remote, their pins,
// clock and repository. In memory where the disk is not the point.
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openRemote, type RemoteOptions } from '../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { appendWanted, type Wanted } from '../../src/app/append.ts';
import { beginMission, beginProject } from '../../src/app/begin.ts';
import type { Submission } from '../../src/app/ledger-session.ts';
import { Workbench } from '../../src/app/workbench.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Pin, Pins } from '../../src/ports/pins.ts';
import type { Remote } from '../../src/ports/remote.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { member, roster } from '../support/people.ts';
import { ANA, BO, taken } from '../support/project.ts';

export const IDS = { next: () => randomUUID() };

type Seat = {
  readonly repository: Repository;
  readonly remote?: Remote;
  readonly pins?: Pins;
  readonly clock?: Clock;
  readonly backOff?: () => Promise<void>;
};

export function seat({ repository, remote, pins, clock, backOff }: Seat): Workbench {
  return new Workbench({
    crypto: nodeCrypto,
    repository,
    remote,
    pins: pins ?? memoryPins(),
    clock: clock ?? { nowSeconds: () => 1_800_000_000 },
    ids: IDS,
    backOff: backOff ?? (() => Promise.resolve()),
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
  const [projectId, missionId] = [randomUUID(), randomUUID()];
  const people = roster(projectId, [member(ANA), member(BO)]);
  taken(await bench.session(PROJECT_REF, ANA).submit(beginProject(projectId, people)));
  const view = await bench.project();
  taken(await bench.session(missionRef(missionId), ANA, view).submit(beginMission(missionId, view, null)));
  return missionRef(missionId);
}

/** A submission that counts how often it was decided. */
export function counted(wanted: readonly Wanted[]): Submission & { readonly decisions: () => number } {
  const { decide } = appendWanted(wanted, IDS);
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
