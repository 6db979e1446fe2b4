// What missions grew from: the project at its newest heads, as far as a mission that begins asks for it. Kept with what is
// known of the project, so that a mission of some time ago is verified from its own first event, and not from the project's.
import type { ProjectState } from '../kernel/state.ts';
import type { Ground } from '../ledger/tip.ts';
import type { KeptHistory } from './verify/project-history.ts';

/** From this size on; of its missions it says nothing, and of what changes nothing for one that begins as little. */
type Era = readonly [from: number, state: ProjectState];
export type KeptEras = readonly Era[];

export class Grounds {
  #eras: KeptEras;

  constructor(kept: KeptEras = []) {
    this.#eras = kept;
  }

  add(size: number, state: ProjectState): void {
    const [, newest] = this.#eras.at(-1) ?? [];
    if (newest === undefined || differ(newest, state))
      this.#eras = [...this.#eras, [size, { ...state, causes: { moved: {} }, missions: {} }]];
  }

  /** The newest ones, oldest first. */
  at({ heads }: Pick<KeptHistory, 'heads'>): readonly Ground[] {
    return heads.slice(-GROUNDS_MAX).flatMap(([size, root, oid]): Ground[] => {
      const state = this.#eras.findLast(([from]) => from <= size)?.[1];
      return state === undefined ? [] : [{ size, root, oid, state }];
    });
  }

  kept({ heads }: Pick<KeptHistory, 'heads'>): KeptEras {
    const oldest = heads.at(-GROUNDS_MAX)?.[0] ?? 0;
    const first = this.#eras.findLastIndex(([from]) => from <= oldest);
    return this.#eras.slice(Math.max(first, 0));
  }
}

/** Whether a mission that began under the one could not have begun so under the other. */
function differ(one: ProjectState, other: ProjectState): boolean {
  return (
    one.roster.n !== other.roster.n ||
    one.cut_offs.length !== other.cut_offs.length ||
    (one.halt === null) !== (other.halt === null) ||
    one.sealed !== other.sealed
  );
}

/** As many as a process remembers of what it verified itself. */
const GROUNDS_MAX = 256;
