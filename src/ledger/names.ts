// Where things lie in a ledger and beside it: references, and paths of its tree. One place, so that reader and writer cannot
// differ.
import { SEGMENT_EVENTS } from '../kernel/limits.ts';
import { missionName } from '../kernel/values.ts';

export const LEDGER_REFS = 'refs/heads/lazarus/';
export const PROJECT_REF = `${LEDGER_REFS}project`;

export function missionRef(missionId: string): string {
  return LEDGER_REFS + missionName(missionId);
}

// What lies beside the ledgers, by family: `docs/architecture.md` says of each who makes it and when it goes away. What is known
// of one alone, its maker says.

export function artifactsRef(ledgerName: string): string {
  return `refs/lazarus/artifacts/${ledgerName}`;
}

/** Work that a cell handed over, until its mission is over: then it is a branch, or nobody's. */
export const INCOMING_REFS = 'refs/lazarus/incoming/';

export function incomingRef(attempt: string): string {
  return INCOMING_REFS + attempt;
}

/** Work that was refused or failed, for whoever looks at it until this day is over. */
export const KEPT_REFS = 'refs/lazarus/kept/';

/** `until`: a date as in `2026-12-03`, so that whoever sweeps up needs no ledger for it. */
export function keptRef(until: string, attempt: string): string {
  return `${KEPT_REFS}${until}.${attempt}`;
}

/** Beside work that the ledger does not name: whose work that was, signed. */
export function lateRef(until: string, attempt: string): string {
  return `${keptRef(until, attempt)}.late`;
}

/** Undefined for what none of us has named. `isLate`: what stands beside the work, and not the work. */
export function readKeptRef(
  ref: string,
): { readonly until: string; readonly attempt: string; readonly isLate: boolean } | undefined {
  const [, until, attempt, late] =
    /^refs\/lazarus\/kept\/(\d{4}-\d{2}-\d{2})\.([0-9a-f-]{36})(\.late)?$/.exec(ref) ?? [];
  return until === undefined || attempt === undefined ? undefined : { until, attempt, isLate: late !== undefined };
}

/** Texts of the rules that were adopted, each under its digest. */
export const RULES_REF = 'refs/lazarus/rules';

/** Where whoever works on an attempt says that it does. */
export const BEACON_REFS = 'refs/lazarus/beacon/';

export function beaconRef(attempt: string): string {
  return BEACON_REFS + attempt;
}

export function cosignRef(ledgerName: string): string {
  return `refs/lazarus/cosign/${ledgerName}`;
}

export function snapshotRef(ledgerName: string): string {
  return `refs/lazarus/snapshot/${ledgerName}`;
}

/** What the holder of a key verified of the project, for that key alone. */
export const KNOWN_REFS = 'refs/lazarus/known/';

export function knownRef(fingerprint: string): string {
  return KNOWN_REFS + fingerprint;
}

/** Which mission an issue has. */
export const ISSUE_REFS = 'refs/lazarus/issues/';

/** Missions that the schedule looks at. */
export const OPEN_REFS = 'refs/lazarus/open/';

/** Missions whose pull request waits. */
export const DELIVERED_REFS = 'refs/lazarus/delivered/';

/** Which issue is the board. */
export const BOARD_REFS = 'refs/lazarus/board/';

/** Which rules people were told of. */
export const ANNOUNCED_REF = 'refs/lazarus/announced';

/** What was said outside of the forge. */
export const TOLD_REF = 'refs/lazarus/told';

/** Fetched heads are kept apart from this repository's own, so that a lying remote never moves one of ours. */
export const FETCHED_REFS = 'refs/lazarus/fetched/';

export function fetchedRef(ref: string): string {
  return FETCHED_REFS + ref.replace(/^refs\//, '');
}

/** `project` or `m-…`: what people type and see. */
export function ledgerName(ref: string): string {
  return ref.startsWith(LEDGER_REFS) ? ref.slice(LEDGER_REFS.length) : ref;
}

export const FILES = {
  frontier: 'frontier',
  keys: 'keys.asc',
  roster: 'roster.json',
  segments: 'seg',
  standing: 'standing.json',
  treeHead: 'tree-head',
} as const;

/** Segments below one directory of `seg/`. */
export const SEGMENTS_PER_FAN = 64;

export function eventFile(index: number): string {
  return `${String(index).padStart(9, '0')}.json`;
}

/** The open segment's directory has a name of its own: git's delta search pairs trees by name, and a shared one made repacked ledgers four times as large. */
export function hotDirectory(segment: number): string {
  return `hot-${segmentName(segment)}`;
}

export function segmentName(segment: number): string {
  return String(segment).padStart(6, '0');
}

export function fanName(segment: number): string {
  return String(Math.floor(segment / SEGMENTS_PER_FAN)).padStart(5, '0');
}

export function segmentOf(index: number): number {
  return Math.floor(index / SEGMENT_EVENTS);
}

const EVENT_PATH = /^(?:hot-(\d{6})|seg\/(\d{5})\/(\d{6}))\/(\d{9})\.json$/;

/** The index of the event that lies at a path, or undefined when the path is no event's or not where that event belongs. */
export function eventIndexOf(path: string): number | undefined {
  const match = EVENT_PATH.exec(path);
  if (match === null) return undefined;
  const index = Number(match[4]);
  const segment = segmentOf(index);
  if (segmentName(segment) !== (match[1] ?? match[3])) return undefined;
  return match[2] === undefined || match[2] === fanName(segment) ? index : undefined;
}
