// The tip of a ledger that a clone follows, for whoever writes in it: when to look for a newer one before writing, and when
// to let others go first. Knows nothing of what is written.
import type { Oid } from '../format/git/object.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import type { Tip } from '../ledger/tip.ts';
import type { PushOutcome } from '../ports/remote.ts';
import type { Change } from '../ports/repository.ts';
import type { Step } from './adoption.ts';
import type { Follower } from './follower.ts';
import type { SessionWorld } from './ledger-session.ts';
import type { Author } from './sealing.ts';
import type { Footing, LandedTransaction, TipSource } from './tip-source.ts';

export class FollowedTip implements TipSource {
  readonly #world: SessionWorld;
  readonly #follower: Follower;
  readonly #author: Author;
  readonly #ref: string;
  /** Landings since we last looked around, or lost a race. */
  #landings = LANDINGS_PER_LOOK;
  #landedAtSeconds = 0;
  #gap: Promise<void> = Promise.resolve();
  #asks = true;
  #isNewest = false;

  constructor(world: SessionWorld, ref: string, follower: Follower, author: Author) {
    this.#world = world;
    this.#ref = ref;
    this.#follower = follower;
    this.#author = author;
  }

  async footing(): Promise<Verdict<Footing>> {
    await this.#gap;
    this.#isNewest = this.#asks || !this.#world.place.isFar;
    const tip = this.#isNewest ? await this.newest() : this.#follower.tip;
    this.#asks = false;
    return accept({ tip, author: this.#author });
  }

  knowsMore(): boolean {
    this.#asks = true;
    return !this.#isNewest;
  }

  landed(tx: string): LandedTransaction | undefined {
    return this.#follower.landed(tx);
  }

  lost(): void {
    this.#asks = true;
    this.#landings = LANDINGS_PER_LOOK;
  }

  push(change: Change): Promise<PushOutcome> {
    return this.#world.place.moveAhead(change);
  }

  async adopt(steps: readonly Step[], landed: readonly LandedTransaction[]): Promise<void> {
    await this.#world.place.afterwards(this.#follower.adopt(steps, landed));
    this.#served();
    this.#asks = this.#landings >= LANDINGS_PER_LOOK;
  }

  /** The verified tip at the place's head. */
  newest(): Promise<Tip> {
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
    let head = await place.head(this.#ref);
    const looksMax = isBusy ? LOOKS_WHEN_BUSY : 1;
    for (let looks = 1; head === oid && looks < looksMax; looks++) head = await place.head(this.#ref);
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
}

const LANDINGS_PER_LOOK = 8;
const LOOKS_WHEN_BUSY = 8;
/** Between processes of one clone a look costs nothing, so that the gap has to be a pause: they need about half of this. */
const LANDINGS_PER_GAP = 16;
const GAP_MS = 60;
