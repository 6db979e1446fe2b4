// The way in which a mission writes: documents, its own events, the project's events and further references in one change
// that lands whole or not at all. Holds no rule of missions; whoever acts brings the decision.
import type { EventDraft } from '../kernel/draft.ts';
import type { MissionState, ProjectState } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Change } from '../ports/repository.ts';
import type { DrawnDocument } from './artifacts/documents.ts';
import type { Landed } from './ledger-session.ts';
import { MissionDesk, type Seat } from './mission-desk.ts';
import type { Workbench } from './workbench.ts';

export type Act = {
  /** Recorded in the same transaction, before what `decide` answers; only a mission's opening comes before them. */
  readonly documents?: readonly DrawnDocument[];
  /** Asked again after every lost race. `undefined`: the mission has not begun. */
  readonly decide: (
    state: MissionState | undefined,
    at: { readonly project: ProjectState; readonly projectHead: TreeHead },
  ) => Verdict<readonly EventDraft[]>;
  /** What the project's ledger says of it in the same change, once the mission's part is sealed; nothing when empty. */
  readonly inProject?: (state: ProjectState, after: MissionPart) => Verdict<readonly EventDraft[]>;
  /** Further references. Asked at each attempt, so it must look where they stand. */
  readonly along?: () => Promise<Change>;
};

/** The mission's part of a change, sealed; `genesis` is the first commit of its ledger, which may be this one. */
export type MissionPart = { readonly mission: MissionState; readonly head: TreeHead; readonly genesis: string };

export type Transacted = {
  readonly mission: Landed;
  readonly project: Landed | undefined;
  /** At the newest head known when it had landed: after a lost answer, somebody may have gone on from ours. */
  readonly state: MissionState;
};

/** One act at a desk of its own; whoever acts again and again on one mission keeps a desk, and verifies once. */
export function transact(bench: Workbench, act: Seat & Act): Promise<Verdict<Transacted>> {
  return new MissionDesk(bench, act).transact(act);
}
