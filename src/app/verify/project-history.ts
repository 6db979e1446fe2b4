// What a verified project ledger tells about its past, so that missions can be held to what they cite and adopt of it, and
// to what it recorded of them.
import { jcs } from '../../format/jcs.ts';
import type { Event } from '../../kernel/event.ts';
import { isStopped } from '../../kernel/stops.ts';
import { checkClaimed } from '../../kernel/claimed.ts';
import type { AdoptedFrom, Adoption } from '../../kernel/mission/events.ts';
import type { CutOff, CutOffDocument, RosterUpdate } from '../../kernel/project/events.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import type { KnownProject } from '../../ledger/bundle.ts';
import type { Ground } from '../../ledger/tip.ts';
import { ProjectRecord, type KeptRecord } from './project-record.ts';

type Past = { readonly root: string; readonly oid: string; readonly rosterN: number; readonly halted: boolean };
/** A head and the number of its roster. */
type PastHead = readonly [size: number, root: string, oid: string, rosterN: number, halted: boolean];

export type KeptHistory = {
  readonly heads: readonly PastHead[];
  readonly record: KeptRecord;
};

export class ProjectHistory {
  readonly record: ProjectRecord;
  readonly #heads = new Map<number, Past>();
  /** Leaf hash and payload of the events that a mission may adopt, by their place. */
  readonly #adoptable = new Map<number, { readonly leaf: string; readonly said: string }>();
  /** Rosters after the first, by their number. */
  readonly #rosters = new Map<number, string>();
  /** The newest heads that were verified here, by their commits. */
  readonly #grounds = new Map<string, Ground>();
  #cutOffs: readonly CutOffDocument[] = [];
  #size = 0;

  constructor(kept?: KeptHistory) {
    for (const [size, root, oid, rosterN, halted] of kept?.heads ?? [])
      this.#heads.set(size, { root, oid, rosterN, halted });
    this.record = new ProjectRecord(kept?.record);
  }

  kept(): KeptHistory {
    return {
      heads: [...this.#heads].map(([size, { root, oid, rosterN, halted }]) => [size, root, oid, rosterN, halted]),
      record: this.record.kept(),
    };
  }

  add(head: TreeHead, state: ProjectState): void {
    this.#heads.set(head.size, {
      root: head.root,
      oid: head.oid,
      rosterN: state.roster.n,
      halted: state.halt !== null,
    });
    this.#cutOffs = state.cut_offs;
    this.#size = head.size;
    this.addGround({ ...head, state });
  }

  /** A head that was verified on the way, whatever else of it is known already. */
  addGround({ oid, size, root, state }: Ground): void {
    if (oid === undefined) return;
    this.#grounds.delete(oid);
    this.#grounds.set(oid, { oid, size, root, state });
    if (this.#grounds.size > GROUNDS_MAX) this.#grounds.delete(this.#grounds.keys().next().value!);
  }

  /** What a mission whose first commit has this parent grew from; undefined where that was not verified here, or long ago. */
  groundAt(oid: string): Ground | undefined {
    return this.#grounds.get(oid);
  }

  addAdoptable({ index, leaf }: AdoptedFrom, payload: RosterUpdate | CutOff): void {
    this.#adoptable.set(index, { leaf, said: jcs(payload) });
    if ('roster' in payload) this.#rosters.set(payload.roster.n, jcs(payload.roster));
  }

  /** With the final heads that each of them leaves trusted. */
  get cutOffs(): readonly CutOffDocument[] {
    return this.#cutOffs.map((cutOff) => this.record.withFinals(cutOff));
  }

  knows(cited: TreeHead): boolean {
    return cited.size <= this.#size;
  }

  /** What a checker of proofs asks of it. */
  asKnown(genesis: string): KnownProject {
    return {
      genesis,
      cutOffs: this.cutOffs,
      knows: (head) => this.knows(head),
      check: (head, roster) => this.check(head, roster),
      checkAdopted: (adoption) => this.checkAdopted(adoption),
      checkGenesis: (missionId, first) => this.checkGenesis(missionId, first),
      recordedHeads: (ledgerId) => this.recordedHeads(ledgerId),
    };
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

  /**
   * Refuses what nobody may begin under a head at which the project is halted, or does not hold the mission's paths for it.
   * A stale citation is not prevented by it.
   */
  checkBegun(cited: TreeHead, event: Event, mission: MissionState): Refused | undefined {
    if (!this.knows(cited)) return undefined;
    const isHalted = this.#heads.get(cited.size)?.halted === true;
    if (isHalted && isStopped(event)) return refuse('project_halted', { event_type: event.event_type });
    return checkClaimed(event, mission, this.record.claimsAt(mission.ledger_id, cited.size));
  }

  /**
   * Refuses an adoption of what this project never had: signatures of roots who left, or of a draft that nobody applied,
   * hold all the same.
   */
  checkAdopted({ from, ...said }: Adoption): Refused | undefined {
    const { index, leaf } = from;
    if (index >= this.#size) return undefined;
    const found = this.#adoptable.get(index);
    // The place alone could be that of another change.
    if (found !== undefined && found.leaf === leaf && found.said === jcs(said)) return undefined;
    return refuse('adoption_not_of_project', { at: index, leaf, found: found?.leaf ?? null });
  }

  /**
   * Refuses a mission whose roster or cut-offs are not the project's own, whenever it came by them: its adoptions may lie
   * before a pin that was made without the project.
   */
  checkStanding(cited: TreeHead, { roster, cut_offs }: Pick<MissionState, 'roster' | 'cut_offs'>): Refused | undefined {
    if (!this.knows(cited)) return undefined;
    const own = this.#rosters.get(roster.n);
    if (own !== undefined && own !== jcs(roster)) return refuse('adoption_not_of_project', { roster: roster.n });
    const known = new Set(this.#cutOffs.map((cutOff) => jcs(cutOff)));
    const other = cut_offs.find((cutOff) => !known.has(jcs(cutOff)));
    return other && refuse('adoption_not_of_project', { fingerprint: other.fingerprint });
  }

  /** Refuses a mission that begins otherwise than the one that was registered under its id. */
  checkGenesis(missionId: string, genesis: string): Refused | undefined {
    const registered = this.record.genesisOf(missionId);
    if (registered === undefined || registered === genesis) return undefined;
    return refuse('genesis_not_registered', { registered, found: genesis });
  }

  /** Heads of a ledger that the project vouches for: final ones, and those that a cut-off leaves trusted. */
  recordedHeads(ledgerId: string): readonly TreeHead[] {
    const trusted = this.#cutOffs.flatMap(({ heads }) => heads).filter((one) => one.ledger_id === ledgerId);
    return [...this.record.finalsOf(ledgerId), ...trusted].map(({ head }) => head);
  }
}

/** States of a long project are large; missions that are still worked on grew from one of its newest heads. */
const GROUNDS_MAX = 256;
