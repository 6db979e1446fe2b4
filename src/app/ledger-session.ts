// One ledger, opened for writing. Load and verify, decide, seal, compare-and-swap; when the race is
// lost, verify what is new, look whether our transaction landed after all, and decide again. Never forces, never guesses.
import type { Crypto } from '../format/crypto.ts';
import type { Oid } from '../format/git/object.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { emptyMission, emptyProject, type Tip } from '../ledger/tip.ts';
import type { Clock } from '../ports/clock.ts';
import type { Folds } from '../ports/folds.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { Pins } from '../ports/pins.ts';
import type { Repository } from '../ports/repository.ts';
import type { ProjectView } from './adoption.ts';
import { contend } from './contend.ts';
import { Follower, type LandedTransaction } from './follower.ts';
import type { Place } from './place.ts';
import { sealGroup, type Author, type Drawing, type Submission } from './sealing.ts';

export type SessionWorld = {
  readonly crypto: Crypto;
  readonly repository: Repository;
  readonly place: Place;
  readonly pins: Pins;
  /** Absent: no state is kept for the next time. */
  readonly folds?: Folds;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Waits a random time up to the given one. */
  readonly backOff: (upToMs: number) => Promise<void>;
};

export type { Decide, Submission } from './sealing.ts';

export type Landed = LandedTransaction & { readonly attempts: number };

export class LedgerSession {
  readonly ref: string;
  readonly #world: SessionWorld;
  readonly #author: Author;
  readonly #follower: Follower;
  #queue: Waiting[] = [];
  #isFlushing = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** Landings since we last looked around, or lost a race. */
  #landings = LANDINGS_PER_LOOK;
  #landedAtSeconds = 0;
  #gap: Promise<void> = Promise.resolve();

  /** `project`: for missions, the verified project ledger they grow from and cite. */
  constructor(world: SessionWorld, ref: string, signer: Signer, project?: ProjectView) {
    this.ref = ref;
    this.#world = world;
    this.#author = { crypto: world.crypto, ids: world.ids, signer, project };
    const start = project === undefined ? emptyProject(world.crypto) : emptyMission(world.crypto, project.tip);
    this.#follower = new Follower(world, ref, start, project?.history);
  }

  /** The verified tip at the place's head. */
  async tip(): Promise<Tip> {
    return this.#inTurn(() => this.#newest());
  }

  /** Appends what `decide` answers as one transaction. Submissions that wait for each other share one push. */
  async submit(submission: Submission): Promise<Verdict<Landed>> {
    const { ids, clock } = this.#world;
    const drawn = { tx: ids.next(), correlation: ids.next(), ids: [] as string[], atSeconds: clock.nowSeconds() };
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
        await this.#inTurn(() => this.#land(group));
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

  async #land(group: readonly Waiting[]): Promise<void> {
    let open = group;
    await this.#gap;
    const { place, backOff } = this.#world;
    let asks = this.#landings >= LANDINGS_PER_LOOK || !place.isFar;
    const contest = { place, backOff, ref: this.ref, size: () => this.#follower.tip.size };
    await contend<void>(contest, async ({ attempt }) => {
      const tip: Tip = asks ? await this.#newest() : this.#follower.tip;
      open = this.#settleLanded(open, attempt);
      const { sealed, refused, objects, updates, next, steps } = await sealGroup(this.#author, tip, open);
      // Whoever is turned away must be so by what the ledger is, not by what it was when we last looked.
      if (refused.length > 0 && !asks) {
        asks = true;
        return { is: 'again' };
      }
      // Who was refused for what goes before it in this group waits until that has landed: it may never do.
      const final = refused.filter(({ isFinal }) => isFinal);
      for (const { waiting, verdict } of final) waiting.resolve(verdict);
      open = open.filter((waiting) => !final.some((one) => one.waiting === waiting));
      if (sealed.length === 0) return { is: 'settled', value: undefined };
      return {
        is: 'ready',
        change: { objects, updates: [{ ref: this.ref, old: tip.oid, next: next.oid }, ...updates] },
        lost: () => {
          asks = true;
          this.#landings = LANDINGS_PER_LOOK;
        },
        landed: async () => {
          const ours = sealed.map(({ landed }) => landed);
          await place.afterwards(this.#follower.adopt(steps, ours, this.#author.signer.fingerprint));
          this.#served();
          for (const { waiting, landed } of sealed)
            waiting.resolve({ is: 'accepted', value: { ...landed, attempts: attempt } });
          for (const { waiting, verdict } of refused) waiting.resolve(verdict);
        },
      };
    });
  }

  async #newest(): Promise<Tip> {
    return this.#follower.follow(() => this.#lookAround());
  }

  /**
   * The head of the place. A far one is not asked before every push, for the push itself asks, in a third of the time.
   * But whoever lands again and again must leave gaps: another writer has to fetch and verify what we wrote before it can
   * push, and would lose every race until it gives up. So it looks several times in a row, until somebody has come by:
   * that takes as long as the others need, however slow the place is.
   */
  async #lookAround(): Promise<Oid | undefined> {
    const { place, clock } = this.#world;
    const { oid } = this.#follower.tip;
    const isBusy = place.isFar && oid !== undefined && clock.nowSeconds() - this.#landedAtSeconds <= 1;
    let head = await place.head(this.ref);
    const looksMax = isBusy ? LOOKS_WHEN_BUSY : 1;
    for (let looks = 1; head === oid && looks < looksMax; looks++) head = await place.head(this.ref);
    // Among others the next look comes sooner.
    if (place.isFar || head !== oid) this.#landings = place.isFar && head !== oid ? LANDINGS_PER_LOOK / 2 : 0;
    return head;
  }

  #served(): void {
    this.#landings += 1;
    this.#landedAtSeconds = this.#world.clock.nowSeconds();
    if (this.#world.place.isFar || this.#landings < LANDINGS_PER_GAP) return;
    this.#landings = 0;
    this.#gap = this.#world.backOff(GAP_MS);
  }

  /** After a lost race or answer: what of ours is in the ledger already is done, and must not be written twice. */
  #settleLanded(open: readonly Waiting[], attempts: number): readonly Waiting[] {
    return open.filter((waiting) => {
      const landed = this.#follower.landed(waiting.drawn.tx);
      if (landed !== undefined) waiting.resolve({ is: 'accepted', value: { ...landed, attempts } });
      return landed === undefined;
    });
  }
}

type Waiting = {
  readonly submission: Submission;
  readonly drawn: Drawing;
  readonly resolve: (verdict: Verdict<Landed>) => void;
  readonly reject: (error: unknown) => void;
};

const TRANSACTIONS_PER_PUSH_MAX = 1000;
const LANDINGS_PER_LOOK = 8;
const LOOKS_WHEN_BUSY = 8;
/** Between processes of one clone a look costs nothing, so that the gap has to be a pause: they need about half of this. */
const LANDINGS_PER_GAP = 16;
const GAP_MS = 60;
