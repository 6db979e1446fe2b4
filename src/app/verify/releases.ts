// Whether the heads of a mission that the project names as reasons for releasing its claims are such reasons. Looks at
// the mission's own history, commit by commit; a release by somebody who made its reason up is found here.
import { needsClaims } from '../../kernel/mission/claims.ts';
import type { Tip } from '../../ledger/tip.ts';
import type { Release } from './project-record.ts';

/** `unconfirmed`: the mission's ledger at hand does not reach to the head that is named. */
export type Judged = { readonly release: Release; readonly is: 'founded' | 'unfounded' | 'unconfirmed' };

export class ReleaseAudit {
  readonly #open: Release[];
  readonly #judged: Judged[] = [];
  /** Since the release before, the mission needed what is now released: an old head is no reason for a later claim. */
  #wasNeeded = false;

  /** All releases of one mission, in their order. */
  constructor(releases: readonly Release[]) {
    this.#open = [...releases];
  }

  /** Every commit of the mission, in order. */
  see({ size, root, oid, state }: Pick<Tip, 'size' | 'root' | 'oid' | 'state'>): void {
    if (state?.kind !== 'mission') return;
    for (let next = this.#open[0]; next !== undefined && next.after.size <= size; next = this.#open[0]) {
      const { after, because, claims } = next;
      const isThere = after.size === size && after.root === root && after.oid === oid;
      const isSo = because === 'ended' ? (state.course?.end ?? null) !== null : this.#wasNeeded;
      this.#close(next, isThere && isSo && !needsClaims(state, claims) ? 'founded' : 'unfounded');
    }
    const next = this.#open[0];
    if (next !== undefined && needsClaims(state, next.claims)) this.#wasNeeded = true;
  }

  judged(): readonly Judged[] {
    return [...this.#judged, ...this.#open.map((release) => ({ release, is: 'unconfirmed' as const }))];
  }

  #close(release: Release, is: Judged['is']): void {
    this.#open.shift();
    this.#judged.push({ release, is });
    this.#wasNeeded = false;
  }
}
