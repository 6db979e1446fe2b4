// What a verified project ledger tells about its past, so that missions can be held to what they cite and adopt of it, and
// to what it recorded of them.
import { z } from 'zod';
import { jcs } from '../../format/jcs.ts';
import type { Event } from '../../kernel/event.ts';
import { isStopped } from '../../kernel/stops.ts';
import { checkClaimed } from '../../kernel/claimed.ts';
import type { AdoptedFrom, Adoption } from '../../kernel/mission/events.ts';
import type { CutOff, CutOffDocument, RosterUpdate } from '../../kernel/project/events.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import {
  Count,
  Digest,
  Index,
  Instant,
  KeyFingerprint,
  ObjectName,
  RootHash,
  type TreeHead,
} from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import type { KnownProject } from '../../ledger/bundle.ts';
import { segmentOf } from '../../ledger/names.ts';
import type { Ground } from '../../ledger/tip.ts';
import { PageLost, Pages, type PageKind, type ReadPage, type WritePage } from './pages.ts';
import { ProjectRecord } from './project-record.ts';

type Past = { readonly root: string; readonly oid: string; readonly rosterN: number; readonly halted: boolean };
/** By size. */
type Heads = Map<number, Past>;

/** A head and the number of its roster. */
const KeptHeads = z.lazy(() => z.array(z.tuple([Index, RootHash, ObjectName, Count, z.boolean()])));
type KeptHeads = z.infer<typeof KeptHeads>;

const HEADS: PageKind<Heads> = {
  empty: () => new Map(),
  read: (kept) => {
    const heads = KeptHeads.safeParse(kept);
    return heads.success ? headsIn(heads.data) : undefined;
  },
  write: (heads) => keptHeads(heads),
};

/** What a mission could begin under from a size on: a state that says nothing of missions. */
type Under = { state: ProjectState | undefined };

const UNDER: PageKind<Under> = {
  empty: () => ({ state: undefined }),
  // States are not looked into: what is kept of one by another version of them is not taken up.
  read: (kept) => (typeof kept === 'object' && kept !== null ? { state: kept as ProjectState } : undefined),
  write: ({ state }) => state,
};

/** What tells eras apart: a mission that begins in one of them could not begin so in another. */
const Era = z.lazy(() => z.strictObject({ roster: Count, cut_offs: Count, halted: z.boolean(), sealed: z.boolean() }));
type Era = z.infer<typeof Era>;

/** As it is kept between two runs. */
export const KeptHistory = z.lazy(() =>
  z.strictObject({
    /** The newest heads: most missions cite no other. */
    recent: KeptHeads,
    heads: z.record(z.string(), Digest),
    eras: z.record(z.string(), Digest),
    /** What the newest era began with. */
    era: Era.nullable(),
    record: z.strictObject({
      cut_offs: z.record(KeyFingerprint, Index),
      stops: z.array(z.strictObject({ index: Index, at: Instant, until: Instant.nullable() })),
      pages: z.record(z.string(), Digest),
    }),
  }),
);
export type KeptHistory = z.infer<typeof KeptHistory>;

/** Where a history was kept, and how it is had where that is lost: from the ledger, up to the same head. */
export type HistorySource = {
  readonly readPage: ReadPage;
  readonly whole: (head: TreeHead) => Promise<ProjectHistory>;
};

export class ProjectHistory {
  #record: ProjectRecord;
  #heads: Pages<Heads>;
  #eras: Pages<Under>;
  readonly #recent: Heads;
  readonly #source: HistorySource | undefined;
  /** Leaf hash and payload of the events that a mission may adopt, by their place. */
  readonly #adoptable = new Map<number, { readonly leaf: string; readonly said: string }>();
  /** Rosters after the first, by their number. */
  readonly #rosters = new Map<number, string>();
  #cutOffs: readonly CutOffDocument[] = [];
  #head: TreeHead | undefined;
  #era: Era | null;

  constructor(kept?: KeptHistory, source?: HistorySource) {
    this.#source = source;
    this.#recent = headsIn(kept?.recent ?? []);
    this.#era = kept?.era ?? null;
    this.#heads = new Pages(HEADS, kept?.heads, source?.readPage);
    this.#eras = new Pages(UNDER, kept?.eras, source?.readPage);
    this.#record = new ProjectRecord(kept?.record, source?.readPage);
  }

  /** Has what is new written; the pages of before lie there already. */
  async kept(writePage: WritePage): Promise<KeptHistory> {
    return this.#orWhole(async () => ({
      recent: keptHeads(this.#recent),
      heads: await this.#heads.keep(writePage),
      eras: await this.#eras.keep(writePage),
      era: this.#era,
      record: await this.#record.kept(writePage),
    }));
  }

  get record(): ProjectRecord {
    return this.#record;
  }

  add(head: TreeHead, state: ProjectState): void {
    const { size, root, oid } = head;
    const past: Past = { root, oid, rosterN: state.roster.n, halted: state.halt !== null };
    this.#recent.set(size, past);
    this.#heads.change(pageOfHead(size), (heads) => heads.set(size, past));
    if (this.#recent.size > RECENT_MAX) this.#recent.delete(this.#recent.keys().next().value!);
    const era = eraOf(state);
    if (this.#era === null || jcs(this.#era) !== jcs(era))
      this.#eras.change(pageOfEra(size), (under) => {
        under.state = { ...state, causes: { moved: {} }, missions: {} };
      });
    this.#era = era;
    this.#cutOffs = state.cut_offs;
    this.#head = head;
  }

  /** To be asked before anything is said of these: what was kept of a long past is read when it is needed. */
  async bring({ cited = [], ledgers = [] }: About): Promise<void> {
    const sizes = cited.map(({ size }) => size).filter((size) => !this.#recent.has(size));
    await this.#orWhole(() => Promise.all([this.#heads.bring(sizes.map(pageOfHead)), this.#record.bring(ledgers)]));
  }

  /** Before anything is said of all of them. */
  async bringAll(): Promise<void> {
    await this.#orWhole(() => Promise.all([this.#heads.bring(this.#heads.names()), this.#record.bring()]));
  }

  async #orWhole<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PageLost) || this.#source === undefined || this.#head === undefined) throw error;
      const whole = await this.#source.whole(this.#head);
      this.#heads = whole.#heads;
      this.#eras = whole.#eras;
      this.#record = whole.#record;
      return read();
    }
  }

  /** What a mission whose first commit cites this head, and stands on it, grew from; undefined where there was no such head. */
  async groundAt(cited: TreeHead, ledgerId: string): Promise<Ground | undefined> {
    if (!this.knows(cited)) return undefined;
    const begun = this.#eras.names().map(sizeOfEra);
    const era = Math.max(...begun.filter((size) => size <= cited.size));
    if (!Number.isFinite(era)) return undefined;
    // With what the mission will be held to: one look instead of three.
    await Promise.all([
      this.bring({ cited: [cited], ledgers: [ledgerId] }),
      this.#orWhole(() => this.#eras.bring([pageOfEra(era)])),
    ]);
    const past = this.#pastAt(cited.size);
    if (past?.oid !== cited.oid || past.root !== cited.root) return undefined;
    const state = this.#eras.at(pageOfEra(era))?.state;
    return state === undefined ? undefined : { ...cited, state };
  }

  addAdoptable({ index, leaf }: AdoptedFrom, payload: RosterUpdate | CutOff): void {
    this.#adoptable.set(index, { leaf, said: jcs(payload) });
    if ('roster' in payload) this.#rosters.set(payload.roster.n, jcs(payload.roster));
  }

  /** With the final heads that each of them leaves trusted. */
  get cutOffs(): readonly CutOffDocument[] {
    return this.#cutOffs.map((cutOff) => this.#record.withFinals(cutOff));
  }

  knows(cited: TreeHead): boolean {
    return cited.size <= (this.#head?.size ?? 0);
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
    const past = this.#pastAt(cited.size);
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
    const isHalted = this.#pastAt(cited.size)?.halted === true;
    if (isHalted && isStopped(event)) return refuse('project_halted', { event_type: event.event_type });
    return checkClaimed(event, mission, this.record.claimsAt(mission.ledger_id, cited.size));
  }

  /**
   * Refuses an adoption of what this project never had: signatures of roots who left, or of a draft that nobody applied,
   * hold all the same.
   */
  checkAdopted({ from, ...said }: Adoption): Refused | undefined {
    const { index, leaf } = from;
    if (index >= (this.#head?.size ?? 0)) return undefined;
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

  #pastAt(size: number): Past | undefined {
    return this.#recent.get(size) ?? this.#heads.at(pageOfHead(size))?.get(size);
  }
}

export type About = { readonly cited?: readonly TreeHead[]; readonly ledgers?: readonly string[] };

/** Most missions that are worked on began under one of them, and cite no older one. */
const RECENT_MAX = 256;

function pageOfHead(size: number): string {
  return `heads-${segmentOf(size)}`;
}

const ERA_PAGE = 'era-';

function pageOfEra(size: number): string {
  return `${ERA_PAGE}${size}`;
}

function sizeOfEra(page: string): number {
  return Number(page.slice(ERA_PAGE.length));
}

function eraOf({ roster, cut_offs, halt, sealed }: ProjectState): Era {
  return { roster: roster.n, cut_offs: cut_offs.length, halted: halt !== null, sealed };
}

function headsIn(kept: KeptHeads): Heads {
  return new Map(kept.map(([size, root, oid, rosterN, halted]) => [size, { root, oid, rosterN, halted }]));
}

function keptHeads(heads: Heads): KeptHeads {
  return [...heads].map(([size, { root, oid, rosterN, halted }]) => [size, root, oid, rosterN, halted]);
}
