// What a project ledger says of its missions' ledgers: what it registered, which final heads it keeps, why claims were
// released. Remembers it for as long as the events do, where the project's state forgets: in pages, for missions are many.
// Judges no mission.
import { z } from 'zod';
import type { Event } from '../../kernel/event.ts';
import { ClaimsReleased, TreeHeadRecorded, type CutOffDocument } from '../../kernel/project/events.ts';
import { Count, Index, KeyFingerprint, ObjectName, PathGlob, Uuid, type TreeHead } from '../../kernel/values.ts';
import { Pages, type KeptPages, type PageKind, type ReadPage, type WritePage } from './pages.ts';
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

/** All that is said of the ledgers whose ids begin alike. */
type Page = { readonly registered: Map<string, Registered>; readonly finals: Final[]; readonly releases: Release[] };

const KeptPage = z.lazy(() =>
  z.strictObject({
    registered: z.record(
      Uuid,
      z.strictObject({
        genesis: ObjectName,
        held: z.array(z.strictObject({ from: Count, claims: z.array(PathGlob) })).min(1),
      }),
    ),
    finals: z.array(z.strictObject({ ...TreeHeadRecorded.shape.payload.shape, by: KeyFingerprint, index: Index })),
    releases: z.array(
      z.strictObject({ ...ClaimsReleased.shape.payload.shape, claims: z.array(PathGlob), index: Index }),
    ),
  }),
);

const PAGE: PageKind<Page> = {
  empty: () => ({ registered: new Map(), finals: [], releases: [] }),
  read: (kept) => {
    const { success, data } = KeptPage.safeParse(kept);
    return success ? { ...data, registered: new Map(Object.entries(data.registered)) } : undefined;
  },
  write: ({ registered, ...page }) => ({ ...page, registered: Object.fromEntries(registered) }),
};

/** Each of 256 pages has those of every 256th mission. */
function pageOf(ledgerId: string): string {
  return `missions-${ledgerId.slice(0, 2)}`;
}

/** As it is kept between two runs. */
export type KeptRecord = {
  /** Where each cut-off stands, by fingerprint. */
  readonly cut_offs: Record<string, number>;
  readonly stops: Stop[];
  readonly pages: KeptPages;
};

export class ProjectRecord {
  readonly #pages: Pages<Page>;
  readonly #cutOffs: Map<string, number>;
  readonly #stops: Stop[];

  constructor(kept?: KeptRecord, readPage?: ReadPage) {
    this.#pages = new Pages(PAGE, kept?.pages, readPage);
    this.#cutOffs = new Map(Object.entries(kept?.cut_offs ?? {}));
    this.#stops = [...(kept?.stops ?? [])];
  }

  async kept(writePage: WritePage): Promise<KeptRecord> {
    return {
      cut_offs: Object.fromEntries(this.#cutOffs),
      stops: [...this.#stops],
      pages: await this.#pages.keep(writePage),
    };
  }

  /** Before anything is asked of these ledgers; before anything is asked of all of them, without them. */
  bring(ledgerIds?: readonly string[]): Promise<void> {
    // What a cut-off leaves trusted may be the final head of any of them.
    const isOfAll = ledgerIds === undefined || this.#cutOffs.size > 0;
    return this.#pages.bring(isOfAll ? this.#pages.names() : ledgerIds.map(pageOf));
  }

  /** Events of the project in their order; `by` is the key that signed. */
  take(event: Event, index: number, by: string): void {
    switch (event.event_type) {
      case 'mission.registered': {
        const { mission_id, genesis, claims } = event.payload;
        this.#pages.change(pageOf(mission_id), ({ registered }) => {
          const before = registered.get(mission_id);
          const held = [...(before?.held ?? []), { from: index + 1, claims }];
          // The state forgets a mission that has ended. A second registration does not change which ledger was meant.
          registered.set(mission_id, { genesis: before?.genesis ?? genesis, held });
        });
        break;
      }
      case 'claims.released': {
        const { mission_id } = event.payload;
        this.#pages.change(pageOf(mission_id), ({ registered, releases }) => {
          const known = registered.get(mission_id);
          if (known === undefined) return;
          releases.push({ ...event.payload, claims: known.held.at(-1)!.claims, index });
          registered.set(mission_id, { ...known, held: [...known.held, { from: index + 1, claims: [] }] });
        });
        break;
      }
      case 'tree_head.recorded':
        this.#pages.change(pageOf(event.payload.ledger_id), ({ finals }) =>
          finals.push({ ...event.payload, by, index }),
        );
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
    return this.#of(missionId)?.registered.get(missionId)?.genesis;
  }

  /** What the project held for a mission when its ledger had this size; undefined where it held nothing for it yet. */
  claimsAt(missionId: string, size: number): readonly string[] | undefined {
    return this.#of(missionId)
      ?.registered.get(missionId)
      ?.held.findLast(({ from }) => from <= size)?.claims;
  }

  /** Missions whose ledger the project counts on: all that were registered, but those whose final head it keeps. */
  missions(): readonly string[] {
    const sealed = new Set(this.#sealed().map((final) => final.ledger_id));
    return this.#pages.all().flatMap(({ registered }) => [...registered.keys()].filter((id) => !sealed.has(id)));
  }

  finalsOf(ledgerId: string): readonly Final[] {
    return (this.#of(ledgerId)?.finals ?? []).filter((final) => final.ledger_id === ledgerId);
  }

  releasesOf(missionId: string): readonly Release[] {
    return (this.#of(missionId)?.releases ?? []).filter((release) => release.mission_id === missionId);
  }

  releases(): readonly Release[] {
    return this.#inOrder(({ releases }) => releases);
  }

  /**
   * A cut-off has room for so many heads. The final head of a sealed ledger that the project recorded before is trusted
   * as if it were named, unless the very key that is cut off recorded it.
   */
  withFinals(cutOff: CutOffDocument): CutOffDocument {
    const at = this.#cutOffs.get(cutOff.fingerprint);
    if (at === undefined) return cutOff;
    const named = new Set(cutOff.heads.map(({ ledger_id }) => ledger_id));
    const sealed = this.#sealed().filter(
      ({ by, index, ledger_id }) => by !== cutOff.fingerprint && index < at && !named.has(ledger_id),
    );
    return { ...cutOff, heads: [...cutOff.heads, ...sealed.map(({ head, ledger_id }) => ({ head, ledger_id }))] };
  }

  #of(ledgerId: string): Page | undefined {
    return this.#pages.at(pageOf(ledgerId));
  }

  #sealed(): readonly Final[] {
    return this.#inOrder(({ finals }) => finals).filter(({ because }) => because === 'sealed');
  }

  #inOrder<One extends { readonly index: number }>(on: (page: Page) => readonly One[]): readonly One[] {
    return this.#pages
      .all()
      .flatMap(on)
      .sort((one, other) => one.index - other.index);
  }
}
