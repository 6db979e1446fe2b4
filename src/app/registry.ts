// What a project's registry and the ledgers at hand say of each other: ledgers that were registered and are not here,
// claims released for a reason that the mission does not show, and what was begun in spite of a stop. Finds it; whose fault it is is for people to say.
import type { ReasonCode } from '../reasons.ts';
import { ledgerName, missionRef } from '../ledger/names.ts';
import type { ProjectRecord } from './verify/project-record.ts';
import { ReleaseAudit } from './verify/releases.ts';
import { stopOverlooked } from './verify/stops.ts';
import type { Seen } from './verify/walk.ts';

export type Finding = {
  readonly ledger: string;
  readonly code: Extract<
    ReasonCode,
    'registered_ledger_missing' | 'release_unfounded' | 'release_unconfirmed' | 'stop_overlooked'
  >;
  /** Where the release stands in the project ledger; where what was begun stands in the mission's. */
  readonly index?: number;
};

export class RegistryAudit {
  readonly #missing: readonly Finding[];
  readonly #audits = new Map<string, ReleaseAudit>();
  readonly #overlooked: Finding[] = [];
  readonly #record: ProjectRecord;

  constructor(record: ProjectRecord, refs: readonly string[]) {
    this.#record = record;
    const here = new Set(refs);
    const absent = record
      .missions()
      .map(missionRef)
      .filter((ref) => !here.has(ref));
    this.#missing = absent.map((ref) => ({ ledger: ledgerName(ref), code: 'registered_ledger_missing' }));
    for (const mission of new Set(record.releases().map(({ mission_id }) => mission_id)))
      this.#audits.set(missionRef(mission), new ReleaseAudit(record.releasesOf(mission)));
  }

  /** Every commit of a ledger that is verified from its beginning. */
  see(
    ref: string,
    { ledger, tip, oid, claims, events }: Pick<Seen, 'ledger' | 'tip' | 'oid' | 'claims' | 'events'>,
  ): void {
    if (ledger !== 'mission') return;
    this.#audits.get(ref)?.see({ ...tip, oid });
    const { project: cited, prevSize } = claims;
    if (cited === undefined) return;
    for (const [i, event] of events.entries())
      if (stopOverlooked(this.#record.stops(), cited, event) !== undefined)
        this.#overlooked.push({ ledger: ledgerName(ref), code: 'stop_overlooked', index: prevSize + i });
  }

  findings(): readonly Finding[] {
    const released = [...this.#audits].flatMap(([ref, audit]) =>
      audit.judged().flatMap(({ is, release }): Finding[] => {
        if (is === 'founded') return [];
        const code = is === 'unfounded' ? 'release_unfounded' : 'release_unconfirmed';
        return [{ ledger: ledgerName(ref), code, index: release.index }];
      }),
    );
    return [...this.#missing, ...released, ...this.#overlooked];
  }
}
