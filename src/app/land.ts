// The one way in which transactions get to the head of one ledger: seal on a tip, compare-and-swap, and when the race is
// lost, look whether ours landed after all and decide again. Does not know where tips come from.
import type { Verdict } from '../kernel/verdict.ts';
import { contend, type Contest } from './contend.ts';
import { sealGroup, type Drawing, type Submission } from './sealing.ts';
import type { LandedTransaction, TipSource } from './tip-source.ts';

export type Landed = LandedTransaction & { readonly attempts: number };

export type Waiting = {
  readonly submission: Submission;
  readonly drawn: Drawing;
  readonly resolve: (verdict: Verdict<Landed>) => void;
};

/** All in one push, each told as soon as its own outcome is certain. What is thrown is about those that were not told. */
export async function land(
  source: TipSource,
  contest: Omit<Contest, 'push'> & { readonly ref: string },
  group: readonly Waiting[],
): Promise<void> {
  let open = group;
  await contend<void>({ ...contest, push: (change) => source.push(change) }, async ({ attempt }) => {
    const footing = await source.footing();
    if (footing.is === 'refused') {
      for (const { resolve } of open) resolve(footing);
      return { is: 'over', value: undefined };
    }
    open = tellLanded(source, open, attempt);
    const { tip, author } = footing.value;
    const { sealed, refused, objects, updates, next, steps } = await sealGroup(author, tip, open);
    if (refused[0] !== undefined && source.knowsMore(refused[0].verdict)) return { is: 'again' };
    // Who was refused for what goes before it in this group waits until that has landed: it may never do.
    const final = refused.filter(({ isFinal }) => isFinal);
    for (const { waiting, verdict } of final) waiting.resolve(verdict);
    open = open.filter((waiting) => !final.some((one) => one.waiting === waiting));
    if (sealed.length === 0) return { is: 'over', value: undefined };
    return {
      is: 'ready',
      change: { objects, updates: [{ ref: contest.ref, old: tip.oid, next: next.oid }, ...updates] },
      lost: () => source.lost(),
      landed: async () => {
        const ours = sealed.map(({ landed }) => landed);
        await source.adopt(steps, ours);
        for (const { waiting, landed } of sealed)
          waiting.resolve({ is: 'accepted', value: { ...landed, attempts: attempt } });
        for (const { waiting, verdict } of refused) waiting.resolve(verdict);
      },
    };
  });
}

/** After a lost race or answer: what of ours is in the ledger already is done, and must not be written twice. */
function tellLanded(source: TipSource, open: readonly Waiting[], attempts: number): readonly Waiting[] {
  return open.filter(({ drawn, resolve }) => {
    const landed = source.landed(drawn.tx);
    if (landed !== undefined) resolve({ is: 'accepted', value: { ...landed, attempts } });
    return landed === undefined;
  });
}
