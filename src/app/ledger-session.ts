// One ledger, opened for writing: the one write path. Load and verify, decide, seal, compare-and-swap; when the race is
// lost, verify what is new, look whether our transaction landed after all, and decide again. Never forces, never guesses.
import type { Crypto } from '../format/crypto.ts';
import type { GitObject } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { TreeHead } from '../kernel/values.ts';
import type { Refused, Verdict } from '../kernel/verdict.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../ledger/tip.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { Pins } from '../ports/pins.ts';
import type { RefUpdate, Repository } from '../ports/repository.ts';
import type { ProjectView } from './adoption.ts';
import { Follower } from './follower.ts';
import type { Place } from './place.ts';
import { sealOne, type Author, type Decide, type Drawing } from './sealing.ts';

export type SessionWorld = {
  readonly crypto: Crypto;
  readonly repository: Repository;
  readonly place: Place;
  readonly pins: Pins;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Waits a random time up to the given one. */
  readonly backOff: (upToMs: number) => Promise<void>;
};

export type { Decide } from './sealing.ts';

export type Submission = {
  readonly decide: Decide;
  /** Further references that move in the same push, such as the artifact an event names. */
  readonly along?: () => Promise<{ readonly objects: readonly GitObject[]; readonly updates: readonly RefUpdate[] }>;
};

export type Landed = { readonly head: TreeHead; readonly from: number; readonly tx: string; readonly attempts: number };

export class LedgerSession {
  readonly ref: string;
  readonly #world: SessionWorld;
  readonly #author: Author;
  readonly #follower: Follower;
  #queue: Waiting[] = [];
  #isFlushing = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** Landings since somebody else's transaction was last seen, or lost to. */
  #landedInARow = 0;
  #hasCompany = false;
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
  submit(submission: Submission): Promise<Verdict<Landed>> {
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
    let asks = !this.#isSolitary();
    let isUnsure = false;
    for (let attempt = 1; open.length > 0; attempt++) {
      const tip = asks ? await this.#look(isUnsure, attempt) : this.#follower.tip;
      open = this.#settleLanded(open, attempt);
      const { sealed, refused, objects, updates, next } = await this.#seal(tip, open);
      // Whoever is turned away must be so by what the ledger is, not by what it was when we last looked.
      if (refused.length > 0 && !asks) {
        asks = true;
        continue;
      }
      for (const { waiting, verdict } of refused) waiting.resolve(verdict);
      open = sealed.map(({ waiting }) => waiting);
      if (open.length === 0) return;
      const { place } = this.#world;
      const outcome = await place.moveAhead({
        objects,
        updates: [{ ref: this.ref, old: tip.oid, next: next.oid }, ...updates],
      });
      if (outcome.is === 'landed') {
        const ours = sealed.map(({ landed }) => landed);
        await place.afterwards(this.#follower.adopt(next, ours, this.#author.signer.fingerprint));
        this.#served();
        for (const { waiting, landed } of sealed)
          waiting.resolve({ is: 'accepted', value: { ...landed, attempts: attempt } });
        return;
      }
      asks = true;
      this.#disturbed();
      if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
      // An unanswered push may land after the next look at the ledger, and be what the next race is lost to.
      isUnsure ||= outcome.is === 'unknown';
      if (attempt >= ATTEMPTS_MAX) throw this.#gaveUp(isUnsure, attempt);
      await this.#world.backOff(Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** attempt));
    }
  }

  /** Who cannot ask what became of an unanswered push must say just that: `remote_unreachable` would sound like nothing was sent. */
  async #look(isUnsure: boolean, attempts: number): Promise<Tip> {
    try {
      return await this.#newest();
    } catch (cause) {
      if (!isUnsure || (cause instanceof Failure && cause.retry !== 'later')) throw cause;
      throw new Failure('push_unknown', { ref: this.ref, attempts }, { cause, retry: 'later' });
    }
  }

  async #newest(): Promise<Tip> {
    const head = await this.#world.place.head(this.ref);
    const { oid } = this.#follower.tip;
    if (oid !== undefined && head !== oid) this.#disturbed();
    return this.#follower.follow(head);
  }

  /**
   * Who has long been alone at a far place does not ask what is new there: the push itself asks, at a third of the time.
   * Only then: another writer has to fetch and verify what we wrote before it can push, and against somebody who never
   * looks around it would lose every race until it gives up.
   */
  #isSolitary(): boolean {
    return this.#world.place.isFar && this.#landedInARow % (LOOKS + LEAPS) >= LOOKS;
  }

  #disturbed(): void {
    this.#landedInARow = 0;
    this.#hasCompany = true;
  }

  /** Among others, whoever was just served goes to the end of the line. */
  #served(): void {
    this.#landedInARow += 1;
    if (this.#landedInARow > LOOKS) this.#hasCompany = false;
    if (this.#hasCompany) this.#gap = this.#world.backOff(this.#world.place.isFar ? FAR_GAP_MS : NEAR_GAP_MS);
  }

  /** After a lost race or answer: what of ours is in the ledger already is done, and must not be written twice. */
  #settleLanded(open: readonly Waiting[], attempts: number): readonly Waiting[] {
    return open.filter((waiting) => {
      const landed = this.#follower.landed(waiting.drawn.tx);
      if (landed !== undefined) waiting.resolve({ is: 'accepted', value: { ...landed, attempts } });
      return landed === undefined;
    });
  }

  async #seal(from: Tip, open: readonly Waiting[]): Promise<SealedGroup> {
    const sealed: SealedOne[] = [];
    const refused: RefusedOne[] = [];
    const objects: GitObject[] = [];
    const updates: RefUpdate[] = [];
    let tip = from;
    for (const waiting of open) {
      const verdict = await sealOne(this.#author, tip, waiting.submission.decide, waiting.drawn);
      if (verdict.is === 'refused') {
        refused.push({ waiting, verdict });
        continue;
      }
      const along = await waiting.submission.along?.();
      objects.push(...verdict.value.objects, ...(along?.objects ?? []));
      updates.push(...(along?.updates ?? []));
      const before = tip.size;
      tip = verdict.value.tip;
      sealed.push({ waiting, landed: { head: headOf(tip), from: before, tx: waiting.drawn.tx } });
    }
    return { sealed, refused, objects, updates, next: tip };
  }

  #gaveUp(isUnsure: boolean, attempts: number): Failure {
    const { size } = this.#follower.tip;
    return isUnsure
      ? new Failure('push_unknown', { ref: this.ref, attempts }, { retry: 'later' })
      : new Failure('head_moved', { ref: this.ref, attempts, size }, { retry: 'reload' });
  }
}

type Waiting = {
  readonly submission: Submission;
  readonly drawn: Drawing;
  readonly resolve: (verdict: Verdict<Landed>) => void;
  readonly reject: (error: unknown) => void;
};

type SealedOne = { readonly waiting: Waiting; readonly landed: Omit<Landed, 'attempts'> };
type RefusedOne = { readonly waiting: Waiting; readonly verdict: Refused };
type SealedGroup = {
  readonly sealed: readonly SealedOne[];
  readonly refused: readonly RefusedOne[];
  readonly objects: readonly GitObject[];
  readonly updates: readonly RefUpdate[];
  readonly next: Tip;
};

const TRANSACTIONS_PER_PUSH_MAX = 1000;
const ATTEMPTS_MAX = 40;
const BACK_OFF_BASE_MS = 10;
const BACK_OFF_CAP_MS = 1000;
/** So many appends that look around first, and find nobody, are followed by so many that do not. */
const LOOKS = 8;
const LEAPS = 64;
/** About what the next in line needs to fetch, verify and push: over a network, and between processes of one clone. */
const FAR_GAP_MS = 300;
const NEAR_GAP_MS = 60;
