// What a mission must take over from its project before it goes on: every roster and cut-off since, in their order, each
// with the signatures that made it valid there.
import { hex } from '../format/bytes.ts';
import type { EventDraft } from '../kernel/draft.ts';
import { withNewRoster } from '../kernel/course/proposers.ts';
import type { AdoptedFrom } from '../kernel/mission/events.ts';
import type { CutOff, RosterUpdate } from '../kernel/project/events.ts';
import type { MissionState } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { WritePage } from './verify/pages.ts';
import { ProjectHistory, type HistorySource, type KeptHistory } from './verify/project-history.ts';
import type { Seen } from './verify/walk.ts';

/** `from`: the project's event that made it. */
export type Change = { readonly from: AdoptedFrom } & (
  | { readonly is: 'roster'; readonly update: RosterUpdate }
  | { readonly is: 'cut_off'; readonly cutOff: CutOff }
);

export type KnownProject = {
  readonly history: KeptHistory;
  readonly changes: readonly Change[];
};

/** One transaction further. */
export type NextTransaction = Pick<Seen, 'tip' | 'events' | 'leaves' | 'signer'>;

/** A verified project ledger as its missions see it. */
export class ProjectView {
  readonly history: ProjectHistory;
  readonly #changes: Change[];
  #tip: Tip | undefined;

  /** `known`: what was seen of it before. It needs the tip that belongs to that, to stand on. */
  constructor(known?: KnownProject, source?: HistorySource) {
    this.history = new ProjectHistory(known?.history, source);
    this.#changes = [];
    for (const change of known?.changes ?? []) this.#change(change);
  }

  /** To be kept, with pages for what is too much of it to be read each time. */
  async known(writePage: WritePage): Promise<KnownProject> {
    return { history: await this.history.kept(writePage), changes: this.#changes };
  }

  /** At a verified tip, with all that was before it known. */
  standAt(tip: Tip): void {
    if (tip.state?.kind !== 'project') return;
    this.history.add(headOf(tip), tip.state);
    this.#tip = tip;
  }

  /** What it knows already it takes no second time: several who follow the ledger may tell it what they see. */
  add(seen: NextTransaction): void {
    if (seen.tip.state?.kind !== 'project' || seen.tip.size <= (this.#tip?.size ?? 0)) return;
    this.standAt(seen.tip);
    const first = seen.tip.size - seen.events.length;
    for (const [i, event] of seen.events.entries()) {
      const from = { index: first + i, leaf: hex(seen.leaves[i]!) };
      if (event.event_type === 'roster.updated') this.#change({ is: 'roster', update: event.payload, from });
      if (event.event_type === 'key.cut_off') this.#change({ is: 'cut_off', cutOff: event.payload, from });
      this.history.record.take(event, from.index, seen.signer.key.fingerprint);
    }
  }

  #change(change: Change): void {
    this.#changes.push(change);
    this.history.addAdoptable(change.from, change.is === 'roster' ? change.update : change.cutOff);
  }

  get tip(): Tip {
    if (this.#tip === undefined) throw new TypeError('no project ledger was seen');
    return this.#tip;
  }

  /** The newest head that may be cited after `cited`. */
  newest(cited: TreeHead | undefined): TreeHead {
    const head = headOf(this.tip);
    return cited !== undefined && cited.size > head.size ? cited : head;
  }

  changes(): readonly Change[] {
    return this.#changes;
  }
}

/** What the mission has not heard of yet, in the project's order. */
function owed(state: MissionState, project: ProjectView): readonly Change[] {
  return project
    .changes()
    .filter((change) =>
      change.is === 'roster'
        ? change.update.roster.n > state.roster.n
        : !state.cut_offs.some((known) => known.fingerprint === change.cutOff.cut_off.fingerprint),
    );
}

export function adoptions(state: MissionState, project: ProjectView): readonly EventDraft[] {
  const { project_id } = state;
  const at = { entity_type: 'roster', entity_id: project_id, task_id: state.ledger_id } as const;
  return owed(state, project).map((change): EventDraft =>
    change.is === 'roster'
      ? { event_type: 'roster.adopted', payload: { ...change.update, from: change.from }, ...at }
      : { event_type: 'cut_off.adopted', payload: { ...change.cutOff, from: change.from }, ...at },
  );
}

/**
 * The mission as whatever is decided next finds it: the adoptions stand first in that transaction, so that a plan made, or
 * people asked, under the roster before them would be stale in the very change that brings it. A mission that is over
 * stays as it was: its people agreed under their roster.
 */
export function underProject(state: MissionState, project: ProjectView): MissionState {
  if (state.sealed || (state.course?.end ?? null) !== null) return state;
  return owed(state, project).reduce((mission: MissionState, change): MissionState => {
    if (change.is === 'cut_off') return { ...mission, cut_offs: [...mission.cut_offs, change.cutOff.cut_off] };
    const { roster } = change.update;
    const { course } = mission;
    return course === undefined
      ? { ...mission, roster }
      : { ...mission, roster, course: withNewRoster(course, roster) };
  }, state);
}
