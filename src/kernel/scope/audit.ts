// The file-ownership audit after a mission: what was changed between base and head of the work branch, against all that
// its attempts owned. A view for people and the forge; the judgement itself is that of `ownership.ts`.
import { matcher, ownedBy } from './globs.ts';
import { judgeChanges, type Change, type Scope, type ScopeVerdict } from './ownership.ts';

export type OwnershipAudit = ScopeVerdict & {
  readonly audit: 'file_ownership';
  readonly base: string;
  readonly head: string;
  /** Changed and owned by nobody: the mission failed. */
  readonly modifiedNotOwned: readonly string[];
  /** Sacred and changed: the mission failed, people are told, the change is taken back. */
  readonly sacredModified: readonly string[];
  /** Owned and left alone: fine, planning may leave headroom. */
  readonly ownedNotModified: readonly string[];
};

export function auditOwnership(
  range: { readonly base: string; readonly head: string },
  changes: readonly Change[],
  scope: Scope,
): OwnershipAudit {
  const judged = judgeChanges(changes, scope);
  const paths = changes.map(({ path }) => path);
  const owned = ownedBy(scope.filesOwned);
  return {
    audit: 'file_ownership',
    ...range,
    ...judged,
    modifiedNotOwned: paths.filter((path) => !owned(path)).sort(),
    sacredModified: judged.violations.filter(({ code }) => code === 'sacred_scope').map(({ path }) => path),
    ownedNotModified: scope.filesOwned.filter((glob) => !glob.startsWith('!') && !paths.some(matcher(glob))),
  };
}
