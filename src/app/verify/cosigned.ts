// Tree heads that other roster members signed when they saw them: a floor that a forge cannot lower. Whoever shows a
// smaller ledger, or another root at the same size, is caught.
import { refuse, type Refused } from '../../kernel/verdict.ts';

export type Cosigned = { readonly fingerprint: string; readonly size: number; readonly root: string };

/** What was walked: sizes from the start on, with the root after every commit. */
type Walked = {
  readonly start: { readonly size: number };
  readonly until: number;
  readonly heads: ReadonlyMap<number, { readonly root: string }>;
};

export function checkCosigned(cosigned: readonly Cosigned[], { start, until, heads }: Walked): Refused | undefined {
  for (const { fingerprint, size, root } of cosigned) {
    if (size > until) return refuse('rollback_detected', { cosigned_size: size, size: until, by: fingerprint });
    // Behind the start nothing was walked: the pin answers for it. From there on every head stands at a commit.
    if (size > start.size && heads.get(size)?.root !== root)
      return refuse('fork_detected', {
        cosigned_size: size,
        cosigned_root: root,
        root: heads.get(size)?.root ?? null,
        by: fingerprint,
      });
  }
  return undefined;
}
