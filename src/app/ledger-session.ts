// One ledger, opened for writing: the one write path. Load and verify, decide, seal, compare-and-swap; when the race is
// lost, verify what is new, look whether our transaction landed after all, and decide again. Never forces, never guesses.
import type { Crypto } from '../format/crypto.ts';
import type { GitObject } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { findSigner, rosterInForce } from '../ledger/advance.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../ledger/tip.ts';
import { prepareTransaction } from '../ledger/transaction.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { Pins } from '../ports/pins.ts';
import type { RefUpdate, Repository } from '../ports/repository.ts';
import { adoptions, type ProjectView } from './adoption.ts';
import { complete, type Drawn, type EventDraft } from './draft.ts';
import type { Place } from './place.ts';
import { Follower } from './follower.ts';

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

/** A rule applied to the state at hand; asked again after every lost race. */
export type Decide = (
  state: State | undefined,
  at: { readonly head: TreeHead | undefined },
) => Verdict<readonly EventDraft[]>;

export type Submission = {
  readonly decide: Decide;
  /** Further references that move in the same push, such as the artifact an event names. */
  readonly along?: () => Promise<{ readonly objects: readonly GitObject[]; readonly updates: readonly RefUpdate[] }>;
};

export type Landed = { readonly head: TreeHead; readonly from: number; readonly tx: string; readonly attempts: number };

export class LedgerSession {
  readonly ref: string;
  readonly #world: SessionWorld;
  readonly #signer: Signer;
  readonly #follower: Follower;
  readonly #project: ProjectView | undefined;
  #queue: Waiting[] = [];
  #isFlushing = false;

  /** `project`: for missions, the verified project ledger they grow from and cite. */
  constructor(world: SessionWorld, ref: string, signer: Signer, project?: ProjectView) {
    this.ref = ref;
    this.#world = world;
    this.#signer = signer;
    this.#project = project;
    const start = project === undefined ? emptyProject(world.crypto) : emptyMission(world.crypto, project.tip);
    this.#follower = new Follower(world, ref, start, project?.history);
  }

  /** The verified tip at the place's head. */
  async tip(): Promise<Tip> {
    return this.#follower.follow(await this.#world.place.head(this.ref));
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
        await this.#land(group);
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
      }
    }
    this.#isFlushing = false;
  }

  /** Everything that waits, up to the first submission that moves a further reference: two of those cannot share a push. */
  #groupSize(): number {
    const along = this.#queue.findIndex(({ submission }) => submission.along !== undefined);
    return Math.min(TRANSACTIONS_PER_PUSH_MAX, along === -1 ? this.#queue.length : along + 1);
  }

  async #land(group: readonly Waiting[]): Promise<void> {
    let open = group;
    for (let attempt = 1; open.length > 0; attempt++) {
      const head = await this.#world.place.head(this.ref);
      const tip = await this.#follower.follow(head);
      open = this.#settleLanded(open, attempt);
      const { sealed, objects, updates, next } = await this.#seal(tip, open);
      open = sealed.map(({ waiting }) => waiting);
      if (open.length === 0) return;
      const outcome = await this.#world.place.move({
        objects,
        updates: [{ ref: this.ref, old: tip.oid, next: next.oid }, ...updates],
      });
      if (outcome.is === 'landed') {
        await this.#follower.adopt(
          next,
          sealed.map(({ landed }) => landed),
          this.#signer.fingerprint,
        );
        for (const { waiting, landed } of sealed)
          waiting.resolve({ is: 'accepted', value: { ...landed, attempts: attempt } });
        return;
      }
      if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
      if (attempt >= ATTEMPTS_MAX) throw this.#gaveUp(outcome.is === 'unknown', attempt);
      await this.#world.backOff(Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** attempt));
    }
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
    const objects: GitObject[] = [];
    const updates: RefUpdate[] = [];
    let tip = from;
    for (const waiting of open) {
      const verdict = await this.#sealOne(tip, waiting);
      if (verdict.is === 'refused') {
        waiting.resolve(verdict);
        continue;
      }
      const along = await waiting.submission.along?.();
      objects.push(...verdict.value.objects, ...(along?.objects ?? []));
      updates.push(...(along?.updates ?? []));
      const before = tip.size;
      tip = verdict.value.tip;
      sealed.push({ waiting, landed: { head: headOf(tip), from: before, tx: waiting.drawn.tx } });
    }
    return { sealed, objects, updates, next: tip };
  }

  async #sealOne(
    tip: Tip,
    { submission, drawn }: Waiting,
  ): Promise<Verdict<{ tip: Tip; objects: readonly GitObject[] }>> {
    const decided = submission.decide(tip.state, { head: tip.oid === undefined ? undefined : headOf(tip) });
    if (decided.is === 'refused') return decided;
    const adopted = this.#adoptions(tip);
    const drafts = [...adopted, ...decided.value];
    const actor = this.#actor(tip, drafts);
    if ('is' in actor) return actor;
    const gone = adopted.length > 0 && decided.value.length > 0 ? this.#refuseGone() : undefined;
    if (gone !== undefined) return gone;
    const events = drafts.map((draft, i) => complete(draft, i, actor, this.#drawn(drawn)));
    const project = this.#project === undefined ? {} : { project: this.#project.newest(tip.project) };
    const { atSeconds, tx } = drawn;
    const prepared = prepareTransaction(this.#world.crypto, tip, {
      tx,
      events,
      fingerprint: this.#signer.fingerprint,
      atSeconds,
      ...project,
    });
    if (prepared.is === 'refused') return prepared;
    const signature = await this.#signer.sign(prepared.value.payload, atSeconds);
    return { is: 'accepted', value: prepared.value.finish(signature) };
  }

  #adoptions(tip: Tip): readonly EventDraft[] {
    return this.#project === undefined || tip.state?.kind !== 'mission' ? [] : adoptions(tip.state, this.#project);
  }

  /** The member this session signs as; a project's first event brings the roster that says so. */
  #actor(tip: Tip, drafts: readonly EventDraft[]): Member | Refused {
    const { fingerprint } = this.#signer;
    const first = drafts[0];
    const brought = first?.event_type === 'project.opened' ? first.payload.roster : undefined;
    const roster = rosterInForce(tip, []) ?? brought;
    if (roster === undefined) return refuse('ledger_not_opened');
    const cited = this.#project === undefined ? undefined : this.#project.newest(tip.project);
    const signer = findSigner(this.#world.crypto, tip, roster, fingerprint, cited);
    return signer.is === 'refused' ? signer : signer.value.member;
  }

  /** Who is judged by the old roster may bring the new one along, but nothing more if it no longer knows the key. */
  #refuseGone(): Refused | undefined {
    const tip = this.#project?.tip;
    if (tip?.state === undefined) return undefined;
    const signer = findSigner(this.#world.crypto, tip, tip.state.roster, this.#signer.fingerprint, undefined);
    return signer.is === 'refused' ? signer : undefined;
  }

  #drawn({ ids, correlation, atSeconds }: Waiting['drawn']): Drawn {
    return {
      id: (position) => (ids[position] ??= this.#world.ids.next()),
      correlation,
      occurredAt: new Date(atSeconds * 1000).toISOString(),
    };
  }

  #gaveUp(isUnsure: boolean, attempts: number): Failure {
    const size = this.#follower.size;
    return isUnsure
      ? new Failure('push_unknown', { ref: this.ref, attempts }, { retry: 'later' })
      : new Failure('head_moved', { ref: this.ref, attempts, size }, { retry: 'reload' });
  }
}

type Waiting = {
  readonly submission: Submission;
  readonly drawn: {
    readonly tx: string;
    readonly correlation: string;
    readonly ids: string[];
    readonly atSeconds: number;
  };
  readonly resolve: (verdict: Verdict<Landed>) => void;
  readonly reject: (error: unknown) => void;
};

type SealedOne = { readonly waiting: Waiting; readonly landed: Omit<Landed, 'attempts'> };
type SealedGroup = {
  readonly sealed: readonly SealedOne[];
  readonly objects: readonly GitObject[];
  readonly updates: readonly RefUpdate[];
  readonly next: Tip;
};

const TRANSACTIONS_PER_PUSH_MAX = 1000;
const ATTEMPTS_MAX = 40;
const BACK_OFF_BASE_MS = 10;
const BACK_OFF_CAP_MS = 1000;
