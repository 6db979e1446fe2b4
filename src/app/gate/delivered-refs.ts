// Which missions wait to be merged: a reference for each, made by the push that takes it from those that are open, and away once
// its pull request is merged or closed. Pointers, no authority: whoever moves one changes what is looked at.
import type { Oid } from '../../format/git/object.ts';
import { DELIVERED_REFS } from '../../ledger/names.ts';
import type { Workbench } from '../workbench.ts';
import { refsBelow } from '../refs-below.ts';

export function deliveredRef(pullRequest: number, mission: string): string {
  return `${DELIVERED_REFS}${pullRequest}.${mission}`;
}

export function deliveredPointers(bench: Workbench): Promise<ReadonlyMap<string, Oid>> {
  return refsBelow(bench, DELIVERED_REFS);
}

/** Zero for what no one of us named. */
export function readDeliveredRef(ref: string): { readonly number: number; readonly mission: string } {
  const [, number = '0', mission = ''] =
    /^([1-9]\d{0,8})\.(m-[0-9a-f]{12})$/.exec(ref.slice(DELIVERED_REFS.length)) ?? [];
  return { number: Number(number), mission };
}
