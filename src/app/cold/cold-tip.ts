// The tip of a remote ledger that there is no clone of, by the shortest way that suffices: from the pin alone, from what is
// newer than it, from what two others co-signed, or from everything. After a lost race or answer it is looked for afresh.
import { Failure } from '../../failure.ts';
import { accept, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Pin } from '../../ports/pins.ts';
import type { PushOutcome } from '../../ports/remote.ts';
import type { Change } from '../../ports/repository.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NextTransaction } from '../adoption.ts';
import type { Footing, LandedTransaction, TipSource } from '../tip-source.ts';
import { Crossings } from '../verify/snapshots.ts';
import type { ColdSubmission } from './append-cold.ts';
import { pinAt, type ColdWorld, type Known, type Way } from './cold-world.ts';
import { cosignedTip } from './cosigned-tip.ts';
import { openHead } from './open-head.ts';
import { pinnedTip } from './pinned-tip.ts';
import { tipSincePin } from './tip-since-pin.ts';
import { wholeTip } from './whole-tip.ts';

type Asked = Pick<ColdSubmission, 'adding' | 'signer' | 'onWhole'>;

export class ColdTip implements TipSource {
  #world: ColdWorld;
  readonly #ref: string;
  readonly #asked: Asked;
  #pin: Pin | undefined;
  #known: Known | undefined;
  #isWhole = false;
  #isFromTheFirst = false;

  constructor(world: ColdWorld, ref: string, asked: Asked, pin: Pin | undefined) {
    this.#world = world;
    this.#ref = ref;
    this.#asked = asked;
    this.#pin = pin;
  }

  async footing(): Promise<Verdict<Footing>> {
    const { crypto, ids, pins, snapshots } = this.#world;
    const found = this.#isWhole
      ? await wholeTip(this.#world, this.#ref, this.#pin)
      : await knownTip(this.#world, this.#ref, this.#pin, this.#asked);
    if (found.is === 'refused') return found;
    const { tip, way, project, pin, crossed } = found.value;
    if (pin !== this.#pin) await pins.write(ledgerName(this.#ref), pin);
    await snapshots.keep(ledgerName(this.#ref), crossed);
    this.#pin = pin;
    this.#known = found.value;
    const signer = () => this.#asked.signer(tip.state!.roster);
    const isProjectUnread = project === undefined && way !== 'whole' && tip.kind === 'mission';
    return accept({ tip, author: { crypto, ids, signer, project, isProjectUnread } });
  }

  /** How the last footing came to be known. */
  get way(): Way {
    return this.#there.way;
  }

  get size(): number {
    return this.#there.tip.size;
  }

  get #there(): Known {
    if (this.#known === undefined) throw new TypeError('no tip was looked for');
    return this.#known;
  }

  knowsMore({ code }: Refused): boolean {
    if (code !== 'cold_needs_history' || this.#isWhole) return false;
    this.#asked.onWhole?.();
    this.#isWhole = true;
    return true;
  }

  /**
   * What a state says is believed without its history where members signed it, and of those all may have lied: about its
   * shape too, so that a rule breaks on it now or whenever it is kept. From the first event on then, false if that was so.
   */
  beginAtTheFirst(): boolean {
    if (this.#isFromTheFirst) return false;
    this.#isFromTheFirst = true;
    if (!this.#isWhole) this.#asked.onWhole?.();
    this.#isWhole = true;
    const { snapshots } = this.#world;
    this.#world = { ...this.#world, snapshots: { ...snapshots, upTo: () => Promise.resolve(undefined) } };
    return true;
  }

  landed(tx: string): LandedTransaction | undefined {
    return this.#there.landed.get(tx);
  }

  lost(): void {
    // Every footing is looked for.
  }

  push(change: Change): Promise<PushOutcome> {
    return this.#there.remote.push(change);
  }

  async adopt(steps: readonly NextTransaction[]): Promise<void> {
    const { crypto, pins, snapshots } = this.#world;
    const crossings = new Crossings();
    let pin = this.#pin!;
    for (const { tip, events, signer } of steps) {
      const signed = { fingerprint: signer.key.fingerprint, from: tip.size - events.length, until: tip.size };
      pin = pinAt(crypto, tip, pin, [signed]);
      crossings.add(tip, events.length);
    }
    await pins.write(ledgerName(this.#ref), pin);
    await snapshots.keep(ledgerName(this.#ref), crossings.take());
  }
}

/** The shortest way that suffices. What a short one cannot find or make sense of, the long one tells for certain. */
async function knownTip(
  world: ColdWorld,
  ref: string,
  pin: Pin | undefined,
  { adding, onWhole, signer }: Asked,
): Promise<Verdict<Known>> {
  if (pin === undefined) {
    const known = await orMore(() => cosignedTip(world, ref, signer));
    if (known?.is === 'accepted') return known;
  } else {
    try {
      const head = await openHead(world, ref, pin);
      if (head.is === 'refused') return head;
      const ways = [
        ...(adding === undefined ? [] : [() => pinnedTip(world, head.value, pin, adding)]),
        () => tipSincePin(world, ref, head.value, pin),
      ];
      for (const way of ways) {
        const known = await way();
        if (known.is === 'accepted' || known.code !== 'cold_needs_history') return known;
      }
    } catch (error) {
      if (!(error instanceof Failure && MORE_IS_NEEDED.has(error.code))) throw error;
    }
  }
  onWhole?.();
  return wholeTip(world, ref, pin);
}

async function orMore(way: () => Promise<Verdict<Known>>): Promise<Verdict<Known> | undefined> {
  try {
    return await way();
  } catch (error) {
    if (!(error instanceof Failure && (MORE_IS_NEEDED.has(error.code) || error.code === 'remote_ref_missing')))
      throw error;
    return undefined;
  }
}

/** A server that filters otherwise than asked, or takes no names of objects, a git that cannot ask so, too little memory. */
const MORE_IS_NEEDED: ReadonlySet<ReasonCode> = new Set([
  'object_missing',
  'object_corrupt',
  'object_too_large',
  'git_failed',
  'remote_protocol',
]);
