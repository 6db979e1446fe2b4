// Whether the paths of a proposal are such that some work could change them: asked when a plan is made, so that nobody
// approves, and no agent runs for, what the judgement afterwards refuses whatever was done. Sees globs, never files.
import { refuse, accept, type Verdict } from '../verdict.ts';
import { exampleOf } from './globs.ts';
import { pathFault } from './paths.ts';
import { sacredFor, type Allowance, type SacredEntry } from './sacred.ts';

export function checkUsable(
  paths: readonly string[],
  { sacred, allowances }: { readonly sacred: readonly SacredEntry[]; readonly allowances: readonly Allowance[] },
): Verdict<undefined> {
  const owned = paths.filter((glob) => !glob.startsWith('!'));
  if (owned.length === 0) return refuse('scope_unusable', { why: 'no line says what may change' });
  const rule = sacredFor(sacred, owned);
  for (const glob of owned) {
    const path = exampleOf(glob);
    const fault = pathFault(path);
    if (fault !== undefined) return refuse('scope_unusable', { path: glob, why: fault });
    // A new file, with its package's dependencies as they were: the least that a rule could object to.
    const entry = rule(path, 'added', [...allowances, 'dependency_change']);
    if (entry !== undefined) return refuse('scope_unusable', { path: glob, why: `${entry.name}: ${entry.why}` });
  }
  return accept(undefined);
}
