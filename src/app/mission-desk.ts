// The way in which a mission is written to: the mission and its project as this process follows them, and one signer. Each
// act lands as one change of all their references. Writes nothing that sealing would not, and forces nothing.
import type { Oid } from '../format/git/object.ts';
import type { MissionState } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, type Verdict } from '../kernel/verdict.ts';
import { artifactsRef, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { emptyMission, headOf, type Tip } from '../ledger/tip.ts';
import type { Sealed } from '../ledger/transaction.ts';
import type { Signer } from '../ports/keys.ts';
import type { Change } from '../ports/repository.ts';
import type { ProjectView } from './adoption.ts';
import { bringHere, discardDocuments, shelve } from './artifacts/documents.ts';
import { sealAct, type Act, type SealedAct } from './act.ts';
import { contend, type Attempt } from './contend.ts';
import { FollowedMission } from './followed-mission.ts';
import type { Landed } from './land.ts';
import type { Told } from './mission/told.ts';
import { draw, type Author, type Drawing } from './sealing.ts';
import type { LandedTransaction } from './tip-source.ts';
import type { Workbench } from './workbench.ts';

export type Seat = {
  /** The mission's ledger, which may not have begun. */
  readonly ref: string;
  readonly signer: Signer;
  /** Verified in full; it is kept abreast of the project ledger from here on. */
  readonly project: ProjectView;
  /** The same mission with the same project, as others of this process look at it; left out, it is followed from here alone. */
  readonly followed?: FollowedMission;
};

export type Transacted = {
  readonly mission: Landed;
  readonly project: Landed | undefined;
  /** At the newest head known when it had landed: after a lost answer, somebody may have gone on from ours. */
  readonly state: MissionState;
};

export class MissionDesk {
  readonly #bench: Workbench;
  readonly #signer: Signer;
  readonly #at: FollowedMission;

  constructor(bench: Workbench, { ref, signer, project, followed }: Seat) {
    this.#bench = bench;
    this.#signer = signer;
    this.#at = followed ?? new FollowedMission(bench, ref, project);
  }

  /** The mission at its head now, with the project in `Seat.project` as new; undefined when it has not begun. */
  state(): Promise<MissionState | undefined> {
    return this.#at.state();
  }

  /** The newest head that was seen or made here. */
  head(): Promise<TreeHead> {
    return this.#at.head();
  }

  /** The first commit of the mission's ledger. */
  genesis(): Promise<Oid> {
    return this.#at.genesis();
  }

  /** What the mission's events come to for people, at the head that was seen last. */
  told(): Promise<Told> {
    return this.#at.told();
  }

  /** Acts on one mission land one after the other. */
  transact(act: Act): Promise<Verdict<Transacted>> {
    return this.#at.inTurn(() => this.#land(act));
  }

  async #land(act: Act): Promise<Verdict<Transacted>> {
    const { place, parts } = this.#bench;
    const { ref, mission } = this.#at;
    const { documents = [] } = act;
    const drawn = this.#draw();
    for (const { keepKey } of documents) await keepKey();
    // A far place is not asked for what the push itself asks; what is not in the push must be looked at.
    let asks = !place.isFar || mission.tip.oid === undefined;
    const contest = {
      push: (change: Change) => place.moveAhead(change),
      backOff: parts.backOff,
      ref,
      size: () => mission.tip.size,
    };
    return contend<Verdict<Transacted>>(contest, async ({ attempt, isUnsure }) => {
      await this.#at.look({ mission: asks, project: asks || act.inProject === undefined });
      const found = this.#found(drawn, attempt);
      if (found !== undefined) {
        // Nothing of ours was copied here when it landed.
        if (documents.length > 0) await place.head(artifactsRef(ledgerName(ref)));
        return { is: 'over', value: accept(found) };
      }
      const sealed = await this.#seal(act, drawn);
      const isBlind = sealed?.is !== 'accepted' || (act.inProject !== undefined && sealed.value.project === undefined);
      if (sealed === undefined || (isBlind && !asks)) {
        asks = true;
        return { is: 'again' };
      }
      if (sealed.is === 'accepted')
        return this.#ready(act, sealed.value, drawn, { attempt, lost: () => (asks = true) });
      // While a push is unanswered a ledger may yet name them.
      if (!isUnsure) await discardDocuments(this.#bench, documents);
      return { is: 'over', value: sealed };
    });
  }

  /** Both parts landed or neither, so that the mission's own tells. */
  #found(drawn: Drawn, attempts: number): Transacted | undefined {
    const mission = this.#at.mission.landed(drawn.mission.tx);
    if (mission === undefined) return undefined;
    const project = this.#at.project.landed(drawn.project.tx);
    return {
      mission: { ...mission, attempts },
      project: project === undefined ? undefined : { ...project, attempts },
      state: this.#at.seen!,
    };
  }

  /** Undefined where another desk has shown the view a newer project than this one has seen. */
  async #seal(act: Act, drawn: Drawn): Promise<Verdict<SealedAct> | undefined> {
    const { ref, view } = this.#at;
    const { crypto, ids } = this.#bench.parts;
    const project = this.#at.project.tip;
    if (view.tip.oid !== project.oid) return undefined;
    // A mission that has not begun grows out of the project as it is now.
    const mission = this.#at.mission.tip.oid === undefined ? emptyMission(crypto, project) : this.#at.mission.tip;
    const author: Author & { readonly project: ProjectView } = {
      crypto,
      ids,
      signer: () => Promise.resolve(this.#signer),
      project: view,
    };
    return sealAct(author, { ref, mission, project }, act, drawn);
  }

  async #ready(
    act: Act,
    { mission, project }: SealedAct,
    drawn: Drawn,
    { attempt, lost }: { readonly attempt: number; readonly lost: () => void },
  ): Promise<Attempt<Verdict<Transacted>>> {
    const { ref } = this.#at;
    const from = { mission: this.#at.mission.tip, project: this.#at.project.tip };
    const shelf = await shelve(this.#bench, ledgerName(ref), act.documents ?? []);
    const along = await act.along?.();
    const updates = [{ ref, old: from.mission.oid, next: mission.tip.oid }];
    if (project !== undefined) updates.push({ ref: PROJECT_REF, old: from.project.oid, next: project.tip.oid });
    const change: Change = {
      objects: [mission, project, shelf, along].flatMap((one) => one?.objects ?? []),
      updates: [...updates, ...shelf.updates, ...(along?.updates ?? [])],
    };
    return {
      is: 'ready',
      change,
      lost,
      landed: async () => {
        const ours = landedOf(mission, from.mission, drawn.mission);
        const theirs = project === undefined ? undefined : landedOf(project, from.project, drawn.project);
        const pins = [this.#at.mission.adopt([mission], [ours])];
        if (project !== undefined) pins.push(this.#at.project.adopt([project], [theirs!]));
        await this.#bench.place.afterwards(async () => {
          for (const pin of pins) await pin();
        });
        await bringHere(this.#bench, shelf);
        return accept({
          mission: { ...ours, attempts: attempt },
          project: theirs === undefined ? undefined : { ...theirs, attempts: attempt },
          state: this.#at.seen!,
        });
      },
    };
  }

  /** Once for all attempts, with one correlation: a retry writes the same bytes, and is recognised by them. */
  #draw(): Drawn {
    const { ids, clock } = this.#bench.parts;
    const mission = draw(ids, clock);
    return { mission, project: { ...mission, tx: ids.next(), ids: [] } };
  }
}

type Drawn = { readonly mission: Drawing; readonly project: Drawing };

function landedOf({ tip }: Sealed, from: Tip, { tx }: Drawing): LandedTransaction {
  return { head: headOf(tip), from: from.size, tx };
}
