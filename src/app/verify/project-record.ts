// What a project ledger says of its missions' ledgers: what it registered, which final heads it keeps, why claims were
// released. Remembers it for as long as the events do, where the project's state forgets. Judges no mission.
import type { Event } from '../../kernel/event.ts';
import type { CutOffDocument } from '../../kernel/project/events.ts';
import type { TreeHead } from '../../kernel/values.ts';
import type { Stop } from './stops.ts';

type Final = {
  readonly ledger_id: string;
  readonly because: 'repaired' | 'sealed';
  readonly head: TreeHead;
  /** The key that recorded it. */
  readonly by: string;
  readonly index: number;
};

export type Release = {
  readonly mission_id: string;
  readonly after: TreeHead;
  readonly because: 'ended' | 'withdrawn' | 'revised';
  /** What the mission held until then. */
  readonly claims: readonly string[];
  readonly index: number;
};

/** What it held from this size of the project's ledger on. */
type Held = { readonly from: number; readonly claims: readonly string[] };

type Registered = { readonly genesis: string; readonly held: readonly Held[] };

/** As it is kept between two runs. */
export type KeptRecord = {
  readonly registered: Readonly<Record<string, Registered>>;
  readonly finals: readonly Final[];
  readonly releases: readonly Release[];
  /** Where each cut-off stands, by fingerprint. */
  readonly cut_offs: Readonly<Record<string, number>>;
  readonly stops: readonly Stop[];
};

const NOTHING_RECORDED: KeptRecord = { registered: {}, finals: [], releases: [], cut_offs: {}, stops: [] };

export class ProjectRecord {
  readonly #registered: Map<string, Registered>;
  readonly #finals: Final[];
  readonly #releases: Release[];
  readonly #cutOffs: Map<string, number>;
  readonly #stops: Stop[];

  constructor({ registered, finals, releases, cut_offs, stops }: KeptRecord = NOTHING_RECORDED) {
    this.#registered = new Map(Object.entries(registered));
    this.#finals = [...finals];
    this.#releases = [...releases];
    this.#cutOffs = new Map(Object.entries(cut_offs));
    this.#stops = [...stops];
  }

  kept(): KeptRecord {
    return {
      registered: Object.fromEntries(this.#registered),
      finals: this.#finals,
      releases: this.#releases,
      cut_offs: Object.fromEntries(this.#cutOffs),
      stops: this.#stops,
    };
  }

  /** Events of the project in their order; `by` is the key that signed. */
  take(event: Event, index: number, by: string): void {
    switch (event.event_type) {
      case 'mission.registered': {
        const { mission_id, genesis, claims } = event.payload;
        const before = this.#registered.get(mission_id);
        const held = [...(before?.held ?? []), { from: index + 1, claims }];
        // The state forgets a mission that has ended. A second registration does not change which ledger was meant.
        this.#registered.set(mission_id, { genesis: before?.genesis ?? genesis, held });
        break;
      }
      case 'claims.released': {
        const known = this.#registered.get(event.payload.mission_id);
        if (known === undefined) break;
        this.#releases.push({ ...event.payload, claims: known.held.at(-1)!.claims, index });
        const held = [...known.held, { from: index + 1, claims: [] }];
        this.#registered.set(event.payload.mission_id, { ...known, held });
        break;
      }
      case 'tree_head.recorded':
        this.#finals.push({ ...event.payload, by, index });
        break;
      case 'key.cut_off':
        this.#cutOffs.set(event.payload.cut_off.fingerprint, index);
        break;
      case 'halt.declared':
        this.#stops.push({ index, at: event.occurred_at, until: null });
        break;
      case 'halt.lifted':
        this.#stops.push({ ...this.#stops.pop()!, until: event.occurred_at });
        break;
      default:
    }
  }

  stops(): readonly Stop[] {
    return this.#stops;
  }

  /** The first commit that a mission was registered with. */
  genesisOf(missionId: string): string | undefined {
    return this.#registered.get(missionId)?.genesis;
  }

  /** What the project held for a mission when its ledger had this size; undefined where it held nothing for it yet. */
  claimsAt(missionId: string, size: number): readonly string[] | undefined {
    return this.#registered.get(missionId)?.held.findLast(({ from }) => from <= size)?.claims;
  }

  /** Missions whose ledger the project counts on: all that were registered, but those whose final head it keeps. */
  missions(): readonly string[] {
    const sealed = new Set(this.#finals.filter(({ because }) => because === 'sealed').map((final) => final.ledger_id));
    return [...this.#registered.keys()].filter((id) => !sealed.has(id));
  }

  finalsOf(ledgerId: string): readonly Final[] {
    return this.#finals.filter((final) => final.ledger_id === ledgerId);
  }

  releasesOf(missionId: string): readonly Release[] {
    return this.#releases.filter((release) => release.mission_id === missionId);
  }

  releases(): readonly Release[] {
    return this.#releases;
  }

  /**
   * A cut-off has room for so many heads. The final head of a sealed ledger that the project recorded before is trusted
   * as if it were named, unless the very key that is cut off recorded it.
   */
  withFinals(cutOff: CutOffDocument): CutOffDocument {
    const at = this.#cutOffs.get(cutOff.fingerprint);
    if (at === undefined) return cutOff;
    const named = new Set(cutOff.heads.map(({ ledger_id }) => ledger_id));
    const sealed = this.#finals.filter(
      ({ because, by, index, ledger_id }) =>
        because === 'sealed' && by !== cutOff.fingerprint && index < at && !named.has(ledger_id),
    );
    return { ...cutOff, heads: [...cutOff.heads, ...sealed.map(({ head, ledger_id }) => ({ head, ledger_id }))] };
  }
}
