// Keeps a verified tip of one ledger abreast of its head: the first look verifies since the pin, later ones only what
// is new. Refuses to follow a head that is older than, or beside, what was seen before.
import type { Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { LedgerKind } from '../kernel/traits.ts';
import type { TreeHead } from '../kernel/values.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { Pin } from '../ports/pins.ts';
import type { NextTransaction } from './adoption.ts';
import { readCosignatures, validCosignatures } from './cosign.ts';
import { pinOf } from './pin-of.ts';
import type { SessionWorld } from './ledger-session.ts';
import type { LandedTransaction } from './tip-source.ts';
import { chain } from './verify/chain.ts';
import { fallenBelow } from './verify/start.ts';
import type { ProjectHistory } from './verify/project-history.ts';
import { Crossings, snapshotsIn, type Snapshots } from './verify/snapshots.ts';
import { projectFlaw, verifyLedger } from './verify/verify-ledger.ts';
import { walk, type Flaw, type Seen } from './verify/walk.ts';

/** Told of what is verified, in order. `begin`: before everything else, with what stands for all that was before. */
export type Listener = {
  readonly take: (step: NextTransaction, isOurs: boolean) => void;
  readonly begin?: (tip: Tip) => void;
  /** It knows what was up to here, if it knows anything. */
  readonly since?: TreeHead | undefined;
};

export class Follower {
  readonly #world: SessionWorld;
  readonly #ref: string;
  readonly #project: ProjectHistory | undefined;
  /** The latest transactions seen, so that one of ours is recognised after a lost answer. */
  readonly #seen = new Map<string, LandedTransaction>();
  #tip: Tip;
  #signers: Pin['signers'] = {};
  readonly #snapshots: Snapshots;
  readonly #crossings = new Crossings();
  #isGenesisConfirmed: boolean | undefined;
  readonly #listener: Listener;
  #hasLooked = false;

  /** `start`: where the ledger has not begun yet, or a tip that was verified in full just now. */
  constructor(
    world: SessionWorld,
    ref: string,
    start: Tip,
    project?: ProjectHistory,
    listener: Listener = { take: () => undefined },
  ) {
    this.#world = world;
    this.#snapshots = snapshotsIn(world.folds);
    this.#ref = ref;
    this.#tip = start;
    this.#project = project;
    this.#listener = listener;
  }

  get #kind(): LedgerKind {
    return this.#ref === PROJECT_REF ? 'project' : 'mission';
  }

  get tip(): Tip {
    return this.#tip;
  }

  /** The last event that a key is known to have signed. */
  lastSignedBy(fingerprint: string): number | undefined {
    return this.#signers[fingerprint]?.[1];
  }

  landed(tx: string): LandedTransaction | undefined {
    return this.#seen.get(tx);
  }

  /**
   * Goes to the head that `ask` answers. Asks only after the pin was read: another process of this clone moves the head
   * first and its pin after it, so that the other way round its append would look like a rollback.
   */
  async follow(ask: () => Promise<Oid | undefined>): Promise<Tip> {
    const isFirst = this.#tip.oid === undefined || !this.#hasLooked;
    const pin = isFirst ? await this.#world.pins.read(ledgerName(this.#ref)) : undefined;
    const head = await ask();
    if (head === undefined) {
      // A ledger that is gone altogether is the deepest rollback: nobody may begin it anew over our memory of it.
      const size = this.#tip.oid === undefined ? pin?.head.size : this.#tip.size;
      if (size === undefined) return this.#tip;
      throw new Failure('rollback_detected', { ledger: ledgerName(this.#ref), pinned_size: size, size: 0 });
    }
    if (isFirst && this.#tip.oid !== undefined) await this.#recall(head, pin);
    this.#hasLooked = true;
    if (head === this.#tip.oid) return this.#tip;
    if (this.#tip.oid === undefined) await this.#begin(head, pin);
    else await this.#continue(this.#tip.oid, head);
    // In this order: a pin above our own copy would make that copy look rolled back.
    await this.#world.place.keep(this.#ref, head);
    await this.#pinAt(this.#tip, this.#signers);
    return this.#tip;
  }

  /**
   * Takes over what we appended ourselves: it was decided by the same rules, and the place took it. What it returns
   * pins that tip; a pin must not name what a crash could keep from this repository.
   */
  adopt(steps: readonly NextTransaction[], landed: readonly LandedTransaction[]): () => Promise<void> {
    for (const [i, step] of steps.entries()) {
      this.#note(landed[i]!, step.signer.key.fingerprint);
      this.#listener.take(step, true);
      this.#crossings.add(step.tip, step.events.length);
    }
    const tip = steps.at(-1)?.tip ?? this.#tip;
    this.#tip = tip;
    this.#hasLooked = true;
    const signers = this.#signers;
    return () => this.#pinAt(tip, signers);
  }

  /** Going on from a tip that others verified: what the pin remembers holds, another process may have moved it since. */
  async #recall(head: Oid, pin: Pin | undefined): Promise<void> {
    this.#signers = { ...pin?.signers, ...this.#signers };
    this.#isGenesisConfirmed = pin?.genesis_confirmed ?? false;
    const floor = pin === undefined ? undefined : await fallenBelow(this.#world.repository, head, pin);
    if (floor !== undefined) throw new Failure(floor.code, { ledger: ledgerName(this.#ref), ...floor.facts });
  }

  async #begin(head: Oid, pin: Pin | undefined): Promise<void> {
    const { crypto, repository, spareCore } = this.#world;
    const cosignatures = await readCosignatures(repository, this.#ref);
    const verified = await verifyLedger({
      crypto,
      reader: repository,
      ref: this.#ref,
      head,
      mode: 'since-pin',
      pin,
      snapshots: this.#snapshots,
      earlier: this.#listener.since,
      project: this.#project,
      skipsProject: true,
      cosigned: (tip) => validCosignatures(crypto, tip, cosignatures),
      onStart: (tip) => this.#listener.begin?.(tip),
      onCommit: (seen) => this.#look(seen),
      spareCore,
    });
    const { integrity } = verified.report;
    if (integrity.is === 'refused') throw wedged(this.#ref, integrity);
    this.#tip = verified.tip;
    this.#signers = verified.pin?.signers ?? {};
    this.#isGenesisConfirmed = verified.pin?.genesis_confirmed;
  }

  async #continue(from: Oid, head: Oid): Promise<void> {
    const { crypto, repository } = this.#world;
    const links = await chain(repository, head, (object) => object.oid === from);
    if (links[0]?.object.oid !== from) {
      const facts = { ledger: ledgerName(this.#ref), pinned: from, found: head };
      throw new Failure((await repository.isAncestor(head, from)) ? 'rollback_detected' : 'fork_detected', facts);
    }
    let foreign: Flaw | undefined;
    const onCommit = async (seen: Seen): Promise<void> => {
      foreign ??= await projectFlaw(seen, this.#project);
      this.#look(seen);
    };
    const walked = await walk(this.#tip, links.slice(1), { crypto, reader: repository, kind: this.#kind, onCommit });
    const flaw = foreign ?? walked.flaw;
    if (flaw !== undefined) throw wedged(this.#ref, flaw);
    this.#tip = walked.tip;
  }

  #look(seen: Seen): void {
    this.#listener.take(seen, false);
    if (seen.tip.kind === this.#kind) this.#crossings.add(seen.tip, seen.events.length);
    const { tx, prevSize } = seen.claims;
    if (seen.tip.oid !== undefined)
      this.#note({ head: headOf(seen.tip), from: prevSize, tx }, seen.signer.key.fingerprint);
  }

  #note(landed: LandedTransaction, fingerprint: string): void {
    this.#seen.set(landed.tx, landed);
    if (this.#seen.size > SEEN_MAX) this.#seen.delete(this.#seen.keys().next().value!);
    const [first] = this.#signers[fingerprint] ?? [landed.from];
    this.#signers = { ...this.#signers, [fingerprint]: [first, landed.head.size - 1] };
  }

  /** Without a pin from verifying, this machine wrote the first event: of a project, or of a mission of a known one. */
  async #begunHere(): Promise<boolean> {
    if (this.#ref === PROJECT_REF) return true;
    return (await this.#world.pins.read(ledgerName(PROJECT_REF)))?.genesis_confirmed ?? false;
  }

  async #pinAt(tip: Tip, signers: Pin['signers']): Promise<void> {
    if (tip.state === undefined || tip.oid === undefined) return;
    const { crypto, pins } = this.#world;
    this.#isGenesisConfirmed ??= await this.#begunHere();
    const known = { genesis_confirmed: this.#isGenesisConfirmed, signers };
    await pins.write(ledgerName(this.#ref), pinOf(crypto, tip, known));
    await this.#snapshots.keep(ledgerName(this.#ref), this.#crossings.take());
  }
}

/** Lost answers are minutes old at most; this many transactions cover hours of the busiest ledger. */
const SEEN_MAX = 4096;

function wedged(ref: string, flaw: Pick<Flaw, 'code' | 'facts' | 'index' | 'oid'>): Failure {
  return new Failure(flaw.code, { ...flaw.facts, ledger: ledgerName(ref), index: flaw.index, commit: flaw.oid });
}
