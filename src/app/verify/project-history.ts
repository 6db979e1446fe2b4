// What a verified project ledger tells about its past heads, so that missions can be held to what they cite.
import type { CutOffDocument } from '../../kernel/project/events.ts';
import type { ProjectState } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';

type Past = { readonly root: string; readonly oid: string; readonly rosterN: number };
/** A head and the number of its roster. */
export type PastHead = readonly [size: number, root: string, oid: string, rosterN: number];

export class ProjectHistory {
  readonly #heads = new Map<number, Past>();
  #cutOffs: readonly CutOffDocument[] = [];
  #size = 0;

  constructor(heads: readonly PastHead[] = []) {
    for (const [size, root, oid, rosterN] of heads) this.#heads.set(size, { root, oid, rosterN });
  }

  heads(): readonly PastHead[] {
    return [...this.#heads].map(([size, { root, oid, rosterN }]) => [size, root, oid, rosterN]);
  }

  add(head: TreeHead, state: ProjectState): void {
    this.#heads.set(head.size, { root: head.root, oid: head.oid, rosterN: state.roster.n });
    this.#cutOffs = state.cut_offs;
    this.#size = head.size;
  }

  get cutOffs(): readonly CutOffDocument[] {
    return this.#cutOffs;
  }

  knows(cited: TreeHead): boolean {
    return cited.size <= this.#size;
  }

  /** Refuses a citation that is not of this history, or whose newer roster the mission did not adopt. */
  check(cited: TreeHead, missionRoster: number): Refused | undefined {
    if (!this.knows(cited)) return undefined;
    const past = this.#heads.get(cited.size);
    if (past === undefined || past.root !== cited.root || past.oid !== cited.oid)
      return refuse('project_head_unknown', { size: cited.size, oid: cited.oid });
    if (past.rosterN > missionRoster)
      return refuse('roster_not_adopted', { project_roster: past.rosterN, mission_roster: missionRoster });
    return undefined;
  }
}
