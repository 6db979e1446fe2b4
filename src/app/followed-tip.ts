// The tip of a ledger that a clone follows, for whoever writes in it: when to look for a newer one before writing, and when
// to let others go first. Knows nothing of what is written.
import type { Oid } from '../format/git/object.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import type { Tip } from '../ledger/tip.ts';
import type { PushOutcome } from '../ports/remote.ts';
import type { Change } from '../ports/repository.ts';
import type { NextTransaction } from './adoption.ts';
import { Follower } from './follower.ts';
import type { SessionWorld } from './ledger-session.ts';
import { Rota } from './rota.ts';
import type { Author } from './sealing.ts';
import type { ProjectHistory } from './verify/project-history.ts';
import type { Footing, LandedTransaction, TipSource } from './tip-source.ts';

type Beginning = {
  /** Where the ledger has not begun yet. */
  readonly start: Tip;
  readonly project: ProjectHistory | undefined;
  readonly author: Author;
  /** Told of what is verified or made here. */
  readonly take?: (step: NextTransaction) => void;
};

export class FollowedTip implements TipSource {
  readonly #world: SessionWorld;
  readonly #follower: Follower;
  readonly #author: Author;
  readonly #ref: string;
  /** Landings since we last looked around or left a gap, and after how many we look again. */
  #landings = 0;
  #landingsPerLook = 2;
  #landedAtSeconds = 0;
  #gap: Promise<void> = Promise.resolve();
  #asks = true;
  #isNewest = false;
  #isWaiting = false;
  readonly #rota = new Rota();
  /** Since it was alone. */
  #hasLanded = false;
  #landingsInTurn = 0;
  #strangerAtMs: number | undefined;
  #lookedAtMs = 0;
  /** How long it took to follow what others wrote, and to push: about what the others need. */
  #followMs = 0;
  #pushMs = 0;
  /** How long one turn of another lasted, as far as was seen. */
  #turnMs: number | undefined;

  constructor(world: SessionWorld, ref: string, { start, project, author, take }: Beginning) {
    this.#world = world;
    this.#ref = ref;
    this.#author = author;
    this.#follower = new Follower(world, ref, start, project, {
      take: (step, isOurs) => {
        take?.(step);
        if (!isOurs && this.#rota.saw(step.signer.key.fingerprint)) this.#strangerAtMs = world.nowMs();
      },
    });
  }

  get tip(): Tip {
    return this.#follower.tip;
  }

  /** Others that are known to write there now. */
  get rivals(): number {
    return this.#rota.rivals;
  }

  async footing(): Promise<Verdict<Footing>> {
    await this.#gap;
    // Who wrote long ago does not wait now.
    const isFresh = !this.#isWaiting && this.#world.clock.nowSeconds() - this.#landedAtSeconds > 1;
    this.#isWaiting = true;
    const hasLooked = !isFresh && (await this.#letOthersGo());
    this.#isNewest = hasLooked || this.#asks || !this.#world.place.isFar;
    if (this.#isNewest && !hasLooked) await this.newest();
    if (isFresh) this.#begin();
    this.#asks = false;
    return accept({ tip: this.tip, author: this.#author });
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
    this.#landingsInTurn = 0;
  }

  async push(change: Change): Promise<PushOutcome> {
    const beganMs = this.#world.nowMs();
    const outcome = await this.#world.place.moveAhead(change);
    this.#pushMs = this.#world.nowMs() - beganMs;
    return outcome;
  }

  async adopt(steps: readonly NextTransaction[], landed: readonly LandedTransaction[]): Promise<void> {
    await this.#world.place.afterwards(this.#follower.adopt(steps, landed));
    this.#isWaiting = false;
    this.#hasLanded = true;
    this.#served();
    const isTurnOver = this.#isTurnOver();
    this.#asks = isTurnOver && this.#landings >= this.#landingsPerLook;
    if (!isTurnOver) return;
    this.#landingsInTurn = 0;
    this.#rota.landed();
  }

  /** The verified tip at the place's head. */
  newest(): Promise<Tip> {
    return this.#follow(() => this.#lookAround());
  }

  async #follow(ask: () => Promise<Oid | undefined>): Promise<Tip> {
    const { oid } = this.#follower.tip;
    const tip = await this.#follower.follow(ask);
    // The first look is longer: it verifies everything since the pin.
    if (oid !== undefined && tip.oid !== oid) this.#followMs = this.#world.nowMs() - this.#lookedAtMs;
    return tip;
  }

  #look(): Promise<Oid | undefined> {
    this.#lookedAtMs = this.#world.nowMs();
    return this.#world.place.head(this.#ref);
  }

  /** Whoever begins again after a while is the stranger, and owes nobody a turn. */
  #begin(): void {
    this.#rota.clear();
    this.#hasLanded = false;
    this.#strangerAtMs = undefined;
  }

  /**
   * Following must not be what all the time goes into: where landing is quicker, a turn has two landings. It is a number
   * and no time, so that everybody's turn is the same, and not more, so that most do not wait for a few.
   */
  #isTurnOver(): boolean {
    this.#landingsInTurn += 1;
    const isQuick = this.#world.place.isFar && this.#pushMs < this.#followMs;
    return !isQuick || this.#landingsInTurn >= LANDINGS_PER_TURN_MAX;
  }

  /**
   * Whoever landed while we waited, and has not since, goes first; far back in the row one looks seldom. Nobody is waited
   * for longer than what three times as many tries of our own would take: who wants no more, or died, is passed. Then who
   * has no turn because nobody knows of it yet, as long as such come in; only who has had one itself waits for those.
   */
  async #letOthersGo(): Promise<boolean> {
    const { nowMs, backOff } = this.#world;
    const tryMs = this.#followMs + this.#pushMs;
    // While the row stands still for one who died, that is no turn to measure by.
    const turnMs = (): number => Math.min(this.#turnMs ?? tryMs, tryMs);
    let hasLooked = false;
    const lookAfter = async (upToMs: number, atLeastMs?: number): Promise<void> => {
      await backOff(upToMs, atLeastMs);
      await this.#follow(() => this.#look());
      hasLooked = true;
    };
    const untilMs = nowMs() + TRIES_PER_TURN * this.#rota.ahead * tryMs;
    while (this.#rota.ahead > 0 && nowMs() < untilMs) {
      const [{ ahead }, fromMs] = [this.#rota, nowMs()];
      await lookAfter(Math.max(ahead - 1, 1 / 2) * turnMs(), Math.max(ahead - 3 / 2, 0) * turnMs());
      const passed = ahead - this.#rota.ahead;
      if (passed > 0) this.#turnMs = (turnMs() + (nowMs() - fromMs) / passed) / 2;
    }
    this.#rota.clearAhead();
    const isOver = (): boolean =>
      this.#strangerAtMs === undefined || nowMs() >= this.#strangerAtMs + TRIES_PER_TURN * tryMs;
    while (this.#hasLanded && !isOver()) await lookAfter(turnMs() / 2);
    return hasLooked;
  }

  /**
   * The head of the place. A far one is not asked before every push, for the push itself asks, in a third of the time.
   * But whoever lands again and again must leave gaps: another writer has to fetch and verify what we wrote before it can
   * push, and would lose every race until it gives up. So it looks several times in a row, until somebody has come by:
   * that takes as long as the others need, however slow the place is. At first it leaves long gaps, for several may have
   * begun at once, and are in each other's way; whoever has been alone for longer looks more seldom and not for long.
   */
  async #lookAround(): Promise<Oid | undefined> {
    const { place, clock, nowMs, backOff } = this.#world;
    const { oid } = this.#follower.tip;
    const isBusy = place.isFar && oid !== undefined && clock.nowSeconds() - this.#landedAtSeconds <= 1;
    const isEarly = isBusy && this.#landingsPerLook < LANDINGS_PER_LOOK_MAX;
    const untilMs = isEarly ? nowMs() + PUSHES_PER_EARLY_GAP * this.#pushMs : 0;
    let head = await this.#look();
    const looksMax = isBusy ? LOOKS_WHEN_BUSY : 1;
    for (let looks = 1; head === oid && (looks < looksMax || nowMs() < untilMs); looks++) {
      if (isEarly) await backOff(this.#pushMs);
      head = await this.#look();
    }
    if (place.isFar || head !== oid) this.#landings = 0;
    if (head === oid) this.#landingsPerLook = Math.min(2 * this.#landingsPerLook, LANDINGS_PER_LOOK_MAX);
    else if (oid !== undefined) this.#landingsPerLook = 1;
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

const LANDINGS_PER_LOOK_MAX = 8;
const LANDINGS_PER_TURN_MAX = 2;
/** Another’s turn may take longer than ours: it has to notice first that it has come. */
const TRIES_PER_TURN = 3;
const LOOKS_WHEN_BUSY = 5;
/** What eight writers of one machine need to follow all at once, beside one push. */
const PUSHES_PER_EARLY_GAP = 16;
/** Between processes of one clone a look costs nothing, so that the gap has to be a pause: they need about half of this. */
const LANDINGS_PER_GAP = 16;
const GAP_MS = 60;
