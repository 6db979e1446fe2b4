// From an issue to its mission: a reference per issue, created in the change that opens the mission, so that an issue never
// has two. A pointer, no authority: whoever may push can move it, so what it names must say that it is about this issue.
import { Failure } from '../../failure.ts';
import { missionName } from '../../kernel/values.ts';
import { ISSUE_REFS, ledgerName, missionRef } from '../../ledger/names.ts';
import type { Change } from '../../ports/repository.ts';
import type { MissionState } from '../../kernel/state.ts';
import { planDocumentOf } from '../mission/documents.ts';
import type { Acting } from '../mission/world.ts';
import { bringTogether } from '../recent-heads.ts';
import { refsBelow } from '../refs-below.ts';
import type { Workbench } from '../workbench.ts';
import { openPointer } from './open-missions.ts';
import { indexRef, refsOfName } from './before.ts';
import { emptyTree, missionPointedAt, pointerCommit } from './pointers.ts';

/** A commit without parent and files, the same for the same mission: every forge takes one, and not every one takes a blob. */
export function indexChange({ parts }: Workbench, issue: number, mission: string): Change {
  const commit = pointerCommit(parts.crypto, mission);
  return {
    objects: [emptyTree(parts.crypto), commit],
    updates: [{ ref: indexRef(issue), old: undefined, next: commit.oid }, openPointer(mission, commit.oid)],
  };
}

/** Which issues have a mission, as far as references tell. */
export async function indexedIssues(bench: Workbench): Promise<ReadonlySet<number>> {
  const heads = await refsBelow(bench, ISSUE_REFS);
  return new Set([...heads.keys()].map((ref) => Number(ref.slice(ISSUE_REFS.length))));
}

/** The mission of an issue, its ledger brought here and verified; undefined where there is none. */
export async function missionOfIssue(bench: Workbench, issue: number): Promise<string | undefined> {
  const head = await bench.place.head(indexRef(issue));
  if (head === undefined) return undefined;
  const mission = await missionPointedAt(bench.parts, head);
  const ref = missionRef(mission);
  await bringTogether(bench.parts, refsOfName(ledgerName(ref)));
  if ((await bench.place.head(ref)) === undefined)
    throw new Failure('ledger_not_found', { ledger: ledgerName(ref), issue });
  return mission;
}

/** The name of the mission that an issue leads to, whatever became of its ledger. */
export async function missionNamedAt(bench: Workbench, issue: number): Promise<string | undefined> {
  const head = await bench.place.head(indexRef(issue));
  return head === undefined ? undefined : missionName(await missionPointedAt(bench.parts, head));
}

/** Throws where the mission, once it has a plan, is about another issue. */
export async function assertOfIssue(acting: Acting, state: MissionState, issue: number): Promise<void> {
  const from = (state.course?.plan ?? null) === null ? issue : (await planDocumentOf(acting, state)).issue;
  if (from !== issue) throw new Failure('issue_misplaced', { issue, mission: state.ledger_id });
}
