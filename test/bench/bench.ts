// What every row works with: the sizes of this run, a scratch folder, and inputs that are built once. Cleans all of it up.
import { rmSync, mkdtempSync, realpathSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLedger, type BuiltLedger } from './inputs/ledger.ts';

export type Sizes = {
  readonly rounds: number;
  /** Commits of the large ledgers. */
  readonly commits: number;
  /** Commits shown to peers that take milliseconds for each. */
  readonly sample: number;
  /** Transactions of one batched append. */
  readonly batch: number;
  /** Appends one after the other, per round. */
  readonly singles: number;
  /** Governed actions of one mission, one after the other. */
  readonly actions: number;
  /** Missions that a project has had. */
  readonly missions: number;
  /** And that are open at once. */
  readonly openMissions: number;
  /** Played from the approval to the end, one after the other. */
  readonly played: number;
  /** At once, of one supervisor; and how many of another are idle. */
  readonly cells: number;
  readonly idleCells: number;
  readonly contenders: number;
  readonly writersPerContender: number;
  readonly appendsPerWriter: number;
};

export const FULL: Sizes = {
  rounds: 5,
  commits: 10_000,
  sample: 300,
  batch: 3_000,
  singles: 40,
  actions: 10_000,
  missions: 50_000,
  openMissions: 100,
  played: 5,
  cells: 50,
  idleCells: 8,
  contenders: 8,
  writersPerContender: 10,
  appendsPerWriter: 20,
};

export const QUICK: Sizes = {
  rounds: 1,
  commits: 600,
  sample: 12,
  batch: 200,
  singles: 4,
  actions: 200,
  missions: 200,
  openMissions: 6,
  played: 1,
  cells: 6,
  idleCells: 3,
  contenders: 3,
  writersPerContender: 2,
  appendsPerWriter: 3,
};

export class Bench {
  readonly sizes: Sizes;
  readonly say: (text: string) => void;
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-bench-')));
  readonly #built = new Map<string, Promise<BuiltLedger>>();
  readonly #endings: (() => unknown)[] = [];
  #copies = 0;

  constructor(sizes: Sizes, say: (text: string) => void) {
    this.sizes = sizes;
    this.say = say;
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** A ledger of so many commits with so many events each and runners in its roster, built once per run. Not to be written to: see `copy`. */
  ledger(commits: number, eventsEach: number, runners = 1): Promise<BuiltLedger> {
    const name = `ledger-${commits}x${eventsEach}-${runners}`;
    let built = this.#built.get(name);
    if (built === undefined) {
      this.say(`building ${commits} commits of ${eventsEach}`);
      built = buildLedger(this.path(name), { commits, eventsEach, runners });
      this.#built.set(name, built);
    }
    return built;
  }

  async copy(ledger: BuiltLedger, folder?: string): Promise<BuiltLedger> {
    const path = folder ?? this.path(`copy-${this.#copies++}`);
    await cp(ledger.path, path, { recursive: true });
    return { ...ledger, path };
  }

  async discard(ledger: BuiltLedger): Promise<void> {
    await rm(ledger.path, { recursive: true, force: true });
  }

  /** Called when the run ends, however it ends, last one first. */
  atEnd(ending: () => unknown): void {
    this.#endings.push(ending);
  }

  async close(): Promise<void> {
    for (const ending of this.#endings.splice(0).reverse()) await ending();
  }
}
