// Whether what a mission changed is what it may change: the same judgement before a branch moves and in the audit after
// the mission. Sees paths, modes and object names of the real difference, never what an agent says it did.
import type { ReasonCode } from '../../reasons.ts';
import { ownedBy } from './globs.ts';
import { caseTwins, pathFault } from './paths.ts';
import { sacredFor, type Allowance, type SacredEntry } from './sacred.ts';

/** One entry of a raw difference without rename detection: a rename is a deletion and an addition. */
export type Change = {
  readonly path: string;
  /** Octal as Git prints it, `000000` where there is no file. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
  /** Of a package.json, whether its dependencies stay what they are; not known counts as changed. */
  readonly dependencies?: 'same' | 'changed';
};

export type Scope = {
  readonly filesOwned: readonly string[];
  /** `unreadable`: the rules could not be loaded, so nothing may change. */
  readonly sacred: readonly SacredEntry[] | 'unreadable';
  readonly allowances: readonly Allowance[];
  /** Every path of the base, for names that a case-insensitive checkout would confuse; the changes' own otherwise. */
  readonly basePaths?: Iterable<string>;
};

type Violation = { readonly path: string; readonly code: ScopeCode; readonly why: string };
type ScopeCode = Extract<
  ReasonCode,
  | 'mode_refused'
  | 'outside_scope'
  | 'path_case_twin'
  | 'path_unsafe'
  | 'sacred_scope'
  | 'sacred_unreadable'
  | 'submodule_refused'
  | 'symlink_refused'
>;

export type ScopeVerdict = {
  readonly verdict: 'inside' | 'violated';
  readonly changed: number;
  /** All of them, sorted by path and code. */
  readonly violations: readonly Violation[];
  /** Files that became executable: no violation, but whoever reviews wants to know. */
  readonly madeExecutable: readonly string[];
};

const ABSENT = '000000';
const EXECUTABLE = '100755';
const SYMLINK = '120000';
const SUBMODULE = '160000';
/** What a file may be afterwards. Group-writable, set-uid and other modes do not survive git; a tree that has one was made by hand. */
const FILE_MODES: ReadonlySet<string> = new Set(['100644', EXECUTABLE]);

export function judgeChanges(changes: readonly Change[], scope: Scope): ScopeVerdict {
  const owned = ownedBy(scope.filesOwned);
  const sacred = scope.sacred === 'unreadable' ? undefined : sacredFor(scope.sacred, scope.filesOwned);
  const violations = [
    ...changes.flatMap((change) => violationsOf(change, owned, sacred, scope.allowances)),
    ...twinsIn(changes, scope.basePaths ?? []),
  ].sort(byPath);
  return {
    verdict: violations.length === 0 ? 'inside' : 'violated',
    changed: changes.length,
    violations,
    madeExecutable: changes
      .filter(({ oldMode, newMode }) => newMode === EXECUTABLE && oldMode !== EXECUTABLE)
      .map(({ path }) => path)
      .sort(),
  };
}

function violationsOf(
  change: Change,
  owned: (path: string) => boolean,
  sacred: ReturnType<typeof sacredFor> | undefined,
  allowances: readonly Allowance[],
): Violation[] {
  const { path, oldMode, newMode } = change;
  const found: Violation[] = [];
  const add = (code: ScopeCode, why: string) => found.push({ path, code, why });
  const fault = pathFault(path);
  if (fault !== undefined) add('path_unsafe', fault);
  if (newMode === SYMLINK) add('symlink_refused', 'a link makes a write land somewhere else');
  else if (newMode === SUBMODULE || oldMode === SUBMODULE) add('submodule_refused', 'code of another repository');
  else if (newMode !== ABSENT && !FILE_MODES.has(newMode)) add('mode_refused', `mode ${newMode}`);
  if (!owned(path)) add('outside_scope', 'not among the files owned');
  if (sacred === undefined) add('sacred_unreadable', 'the sacred scopes could not be read');
  const entry = sacred?.(path, oldMode === ABSENT ? 'added' : 'changed', allowancesFor(change, allowances));
  if (entry !== undefined) add('sacred_scope', `${entry.name}: ${entry.why}`);
  return found;
}

function allowancesFor(change: Change, allowances: readonly Allowance[]): readonly Allowance[] {
  const manifest = change.path === 'package.json' || change.path.endsWith('/package.json');
  return manifest && change.dependencies === 'same' ? [...allowances, 'dependency_change'] : allowances;
}

function twinsIn(changes: readonly Change[], basePaths: Iterable<string>): Violation[] {
  const gone = new Set(changes.filter(({ newMode }) => newMode === ABSENT).map(({ path }) => path));
  const kept = new Set<string>();
  for (const path of basePaths) if (!gone.has(path)) kept.add(path);
  const there = changes.filter(({ newMode }) => newMode !== ABSENT);
  for (const { path, oldMode } of there) if (oldMode !== ABSENT) kept.add(path);
  const added = there.filter(({ oldMode }) => oldMode === ABSENT).map(({ path }) => path);
  return [...caseTwins(kept, added)].map(([path, other]) => ({
    path,
    code: 'path_case_twin',
    why: `a case-insensitive checkout takes it for ${other}`,
  }));
}

function byPath(a: Violation, b: Violation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.code < b.code ? -1 : Number(a.code !== b.code);
}
