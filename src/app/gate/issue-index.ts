// From an issue to its mission: a reference per issue, created in the change that opens the mission, so that an issue never
// has two. A pointer, no authority: whoever may push can move it, so what it names must say that it is about this issue.
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import { encodeCommit } from '../../format/git/commit.ts';
import { gitObject } from '../../format/git/object.ts';
import { encodeTree } from '../../format/git/tree.ts';
import type { ReadEvent } from '../../kernel/read.ts';
import { Uuid } from '../../kernel/values.ts';
import { missionRef } from '../../ledger/names.ts';
import type { Change } from '../../ports/repository.ts';
import { readEvents } from '../read-events.ts';
import type { Workbench } from '../workbench.ts';

/** A commit without parent and files, the same for the same mission: every forge takes one, and not every one takes a blob. */
export function indexChange({ parts }: Workbench, issue: number, mission: string): Change {
  const tree = gitObject(parts.crypto, 'tree', encodeTree([]));
  const author = { name: 'lazarus', email: 'issues@lazarus.invalid', atSeconds: 0 };
  const body = encodeCommit({ tree: tree.oid, parents: [], author, message: `${mission}\n` });
  const commit = gitObject(parts.crypto, 'commit', body);
  return { objects: [tree, commit], updates: [{ ref: indexRef(issue), old: undefined, next: commit.oid }] };
}

function indexRef(issue: number): string {
  return `refs/lazarus/issues/${issue}`;
}

/** The mission of an issue, its ledger brought here and verified; undefined where there is none. */
export async function missionOfIssue(bench: Workbench, issue: number): Promise<string | undefined> {
  const head = await bench.place.head(indexRef(issue));
  if (head === undefined) return undefined;
  const mission = await namedBy(bench, head);
  const ref = missionRef(mission);
  if ((await bench.place.head(ref)) === undefined) throw new Failure('issue_misplaced', { issue });
  return mission;
}

async function namedBy({ parts }: Workbench, oid: string): Promise<string> {
  for await (const { type, body } of parts.repository.read([oid])) {
    const text = type === 'commit' ? fromUtf8(body).trimEnd().split('\n').at(-1) : undefined;
    const mission = Uuid.safeParse(text);
    if (mission.success) return mission.data;
  }
  throw new Failure('issue_misplaced', { commit: oid });
}

/** Throws where the mission's first words came from another issue. */
export async function assertOfIssue(bench: Workbench, mission: string, issue: number): Promise<void> {
  let first: ReadEvent | undefined;
  await readEvents(bench, missionRef(mission), (event) => {
    if (event.event_type === 'ingress.recorded') first ??= event;
  });
  const from = first?.event_type === 'ingress.recorded' ? first.payload.forge?.issue : undefined;
  if (from !== issue) throw new Failure('issue_misplaced', { issue, mission });
}
