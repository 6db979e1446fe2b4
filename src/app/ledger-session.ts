// One ledger, opened for writing. Load and verify, decide, seal, compare-and-swap; when the race is
// lost, verify what is new, look whether our transaction landed after all, and decide again. Never forces, never guesses.
import type { Crypto } from '../format/crypto.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import { emptyMission, emptyProject, type Tip } from '../ledger/tip.ts';
import type { Clock } from '../ports/clock.ts';
import type { Folds } from '../ports/folds.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { Pins } from '../ports/pins.ts';
import type { Repository } from '../ports/repository.ts';
import type { SpareCore } from '../ports/second-core.ts';
import type { ProjectView, NextTransaction } from './adoption.ts';
import { FollowedTip } from './followed-tip.ts';
import { land, type Landed, type Waiting } from './land.ts';
import type { Place } from './place.ts';
import type { BackOff } from './contend.ts';
import { draw, type Submission } from './sealing.ts';

export type SessionWorld = {
  readonly crypto: Crypto;
  readonly repository: Repository;
  readonly place: Place;
  readonly pins: Pins;
  /** Absent: neither states nor what was folded is kept. */
  readonly folds?: Folds;
  /** Absent: long ledgers are verified on one core as well. */
  readonly spareCore?: SpareCore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backOff: BackOff;
  /** Of a watch, for how long things take. */
  readonly nowMs: () => number;
};

export type { Landed } from './land.ts';
export type { Submission } from './sealing.ts';

export class LedgerSession {
  readonly ref: string;
  readonly #world: SessionWorld;
  readonly #source: FollowedTip;
  #queue: Queued[] = [];
  #isFlushing = false;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * `project`: for missions, the verified project ledger they grow from and cite; for that one, where it goes on from.
   * `from`: the same for a mission, where it was verified.
   */
  constructor(world: SessionWorld, ref: string, signer: Signer, project?: ProjectView, from?: Tip) {
    const { crypto, ids } = world;
    this.ref = ref;
    this.#world = world;
    const author = { crypto, ids, signer: () => Promise.resolve(signer) };
    if (ref === PROJECT_REF) {
      const start = project?.tip ?? emptyProject(crypto);
      const take = (step: NextTransaction): void => project?.add(step);
      this.#source = new FollowedTip(world, ref, {
        start,
        project: undefined,
        author: { ...author, project: undefined },
        take,
      });
    } else {
      const start = from ?? (project === undefined ? emptyProject(crypto) : emptyMission(crypto, project.tip));
      this.#source = new FollowedTip(world, ref, { start, project: project?.history, author: { ...author, project } });
    }
  }

  /** The verified tip at the place's head. */
  async tip(): Promise<Tip> {
    return this.#inTurn(() => this.#source.newest());
  }

  /** Appends what `decide` answers as one transaction. Submissions that wait for each other share one push. */
  async submit(submission: Submission): Promise<Verdict<Landed>> {
    const drawn = draw(this.#world.ids, this.#world.clock);
    return new Promise((resolve, reject) => {
      this.#queue.push({ submission, drawn, resolve, reject });
      if (!this.#isFlushing) void this.#flush();
    });
  }

  /** Never rejects: every failure goes to the submissions it concerns. */
  async #flush(): Promise<void> {
    this.#isFlushing = true;
    // Submissions made in one breath share a push.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, this.#groupSize());
      try {
        await this.#inTurn(() => land(this.#source, this.#contest, group));
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
      }
    }
    this.#isFlushing = false;
  }

  /** One look or push at a time: a head asked for before a push of ours landed would look rolled back after it. */
  #inTurn<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(job);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Everything that waits, up to the first submission that moves a further reference: two of those cannot share a push. */
  #groupSize(): number {
    const along = this.#queue.findIndex(({ submission }) => submission.along !== undefined);
    return Math.min(TRANSACTIONS_PER_PUSH_MAX, along === -1 ? this.#queue.length : along + 1);
  }

  get #contest() {
    const { backOff } = this.#world;
    return { backOff, ref: this.ref, size: () => this.#source.tip.size, rivals: () => this.#source.rivals };
  }
}

type Queued = Waiting & { readonly reject: (error: unknown) => void };

const TRANSACTIONS_PER_PUSH_MAX = 1000;
