// A mission and its project as one process follows them: each verified once, when it is first looked at, and only what is
// new from then on, whoever of the process looks or acts. Writes nothing and knows no signer.
import type { Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { CutOffDocument } from '../kernel/project/events.ts';
import type { MissionState } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { emptyMission, headOf } from '../ledger/tip.ts';
import { underProject, type ProjectView } from './adoption.ts';
import { folded, keep, recalled } from './folded.ts';
import { Folding } from './folding.ts';
import { Follower } from './follower.ts';
import { TOLD, type Told } from './mission/told.ts';
import type { Workbench } from './workbench.ts';

/** The missions of a project that one process has looked at so far. */
export class FollowedMissions {
  readonly #bench: Workbench;
  readonly #project: ProjectView;
  readonly #followed = new Map<string, FollowedMission>();

  constructor(bench: Workbench, project: ProjectView) {
    this.#bench = bench;
    this.#project = project;
  }

  at(ref: string): FollowedMission {
    const known = this.#followed.get(ref);
    if (known !== undefined) return known;
    const followed = new FollowedMission(this.#bench, ref, this.#project);
    this.#followed.set(ref, followed);
    return followed;
  }
}

export class FollowedMission {
  /** The mission's ledger, which may not have begun. */
  readonly ref: string;
  /** Kept abreast of the project ledger from here on. */
  readonly view: ProjectView;
  readonly mission: Follower;
  readonly project: Follower;
  readonly #bench: Workbench;
  readonly #told = { folding: new Folding(TOLD), isRecalled: false };
  #turn: Promise<unknown> = Promise.resolve();

  /** `view`: the project, verified. */
  constructor(bench: Workbench, ref: string, view: ProjectView) {
    if (ref === PROJECT_REF) throw new TypeError('a project is followed by a session');
    const world = { ...bench.parts, place: bench.place };
    this.ref = ref;
    this.view = view;
    this.#bench = bench;
    const told = this.#told;
    this.mission = new Follower(world, ref, emptyMission(world.crypto, view.tip), view.history, {
      take: (step) => told.folding.take(step),
      begin: (tip) => told.folding.begin(tip),
      get since() {
        return told.folding.since;
      },
    });
    this.project = new Follower(world, PROJECT_REF, view.tip, undefined, { take: (step) => view.add(step) });
  }

  /** The mission at its head now, with the project in `view` as new; undefined when it has not begun. */
  state(): Promise<MissionState | undefined> {
    return this.inTurn(async () => {
      await this.look({ mission: true, project: true });
      return this.seen;
    });
  }

  /** The newest head that was seen or made here. */
  head(): Promise<TreeHead> {
    return this.inTurn(() => Promise.resolve(headOf(this.mission.tip)));
  }

  /** The first commit of the mission's ledger. */
  genesis(): Promise<Oid> {
    return this.inTurn(() => {
      const { genesis } = this.mission.tip;
      if (genesis === undefined) throw new Failure('ledger_not_opened', { ledger: ledgerName(this.ref) });
      return Promise.resolve(genesis);
    });
  }

  /** What the mission's events come to for people, at the head that was seen last. */
  told(): Promise<Told> {
    return this.inTurn(async () => {
      const { tip } = this.mission;
      if (tip.oid === undefined) return TOLD.start();
      const known = this.#told.folding.at(tip);
      // The pin was there, and nothing that was folded up to it.
      if (known === undefined) {
        const again = await folded(this.#bench, this.ref, TOLD, { project: this.view });
        this.#told.folding = again.folding;
        return again.value;
      }
      await keep(this.#bench, this.ref, this.#told.folding, tip);
      return known;
    });
  }

  /** Whether a key that is cut off is known to have signed behind what is still trusted of it. */
  hasSignedBehind(cutOffs: readonly CutOffDocument[]): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.mission.tip.oid === undefined) await this.look({ mission: true, project: false });
      const { state } = this.mission.tip;
      const isBehind = ({ fingerprint, heads }: CutOffDocument): boolean => {
        const trusted = heads.find(({ ledger_id }) => ledger_id === state?.ledger_id)?.head.size ?? 0;
        return (this.mission.lastSignedBy(fingerprint) ?? -1) >= trusted;
      };
      return cutOffs.some(isBehind);
    });
  }

  /** One look or act at a time: a head that was asked for before a push of ours landed would look rolled back after it. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(job);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** In turn. The mission first: what it cites of the project is then in what is seen of the project. */
  async look(at: { readonly mission: boolean; readonly project: boolean }): Promise<void> {
    const { place } = this.#bench;
    if (!this.#told.isRecalled) {
      this.#told.folding = await recalled(this.#bench, this.ref, TOLD);
      this.#told.isRecalled = true;
    }
    if (at.mission) await this.mission.follow(() => place.head(this.ref));
    if (!at.project) return;
    await this.project.follow(() => place.head(PROJECT_REF));
    const { state, project: cited } = this.mission.tip;
    if (state === undefined || cited === undefined) return;
    await this.view.history.bring({ cited: [cited] });
    const refused = this.view.history.check(cited, state.roster.n);
    if (refused !== undefined) throw new Failure(refused.code, refused.facts);
  }

  /** The mission as it was seen last, under what its project decided since. */
  get seen(): MissionState | undefined {
    const { state } = this.mission.tip;
    return state?.kind === 'mission' ? underProject(state, this.view) : undefined;
  }
}
