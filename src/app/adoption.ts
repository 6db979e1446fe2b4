// What a mission must take over from its project before it goes on: every roster and cut-off since, in their order, each
// with the signatures that made it valid there.
import type { EventDraft } from '../kernel/draft.ts';
import type { CutOff, RosterUpdate } from '../kernel/project/events.ts';
import type { MissionState } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import { ProjectHistory, type PastHead } from './verify/project-history.ts';
import type { Seen } from './verify/walk.ts';

export type Change =
  | { readonly is: 'roster'; readonly update: RosterUpdate }
  | { readonly is: 'cut_off'; readonly cutOff: CutOff };

export type KnownProject = { readonly heads: readonly PastHead[]; readonly changes: readonly Change[] };

/** One transaction further. */
export type Step = Pick<Seen, 'tip' | 'events'>;

/** A verified project ledger as its missions see it. */
export class ProjectView {
  readonly history: ProjectHistory;
  readonly #changes: Change[];
  #tip: Tip | undefined;

  /** `known`: what was seen of it before. It needs the tip that belongs to that, to stand on. */
  constructor(known: KnownProject = { heads: [], changes: [] }) {
    this.history = new ProjectHistory(known.heads);
    this.#changes = [...known.changes];
  }

  known(): KnownProject {
    return { heads: this.history.heads(), changes: this.#changes };
  }

  /** At a verified tip, with all that was before it known. */
  standAt(tip: Tip): void {
    if (tip.state?.kind !== 'project') return;
    this.history.add(headOf(tip), tip.state);
    this.#tip = tip;
  }

  /** What it knows already it takes no second time: several who follow the ledger may tell it what they see. */
  add(seen: Step): void {
    if (seen.tip.state?.kind !== 'project' || seen.tip.size <= (this.#tip?.size ?? 0)) return;
    this.standAt(seen.tip);
    for (const event of seen.events) {
      if (event.event_type === 'roster.updated') this.#changes.push({ is: 'roster', update: event.payload });
      if (event.event_type === 'key.cut_off') this.#changes.push({ is: 'cut_off', cutOff: event.payload });
    }
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

export function adoptions(state: MissionState, project: ProjectView): readonly EventDraft[] {
  const at = { entity_type: 'roster', entity_id: state.project_id, task_id: state.ledger_id } as const;
  return project.changes().flatMap((change): EventDraft[] => {
    if (change.is === 'roster') {
      return change.update.roster.n > state.roster.n
        ? [{ event_type: 'roster.adopted', payload: change.update, ...at }]
        : [];
    }
    const isKnown = state.cut_offs.some((known) => known.fingerprint === change.cutOff.cut_off.fingerprint);
    return isKnown ? [] : [{ event_type: 'cut_off.adopted', payload: change.cutOff, ...at }];
  });
}
