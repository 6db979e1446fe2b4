// The files of the protected branch that a project adopts by digest: what stands in the work tree, what is committed,
// and which of both counts.
import type { Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import type { WorkTree } from '../../ports/work-tree.ts';
import { POLICY_FILE } from '../base-part.ts';
import { fileAt } from '../mission/target.ts';
import type { Workbench } from '../workbench.ts';

export const POLICY_PATH = POLICY_FILE;
export const SACRED_PATH = '.gitea/lazarus/sacred.yml';
export const ROSTER_PATH = '.gitea/lazarus/roster-draft.yml';

export type FileWorld = { readonly bench: Workbench; readonly workTree: WorkTree };

export type Found = { readonly inTree: Uint8Array | undefined; readonly committed: Uint8Array | undefined };

/** Where the files of a policy are looked for: a branch at hand, or the default branch of a forge. */
export type PolicySource = {
  find(path: string): Promise<Found>;
  /** Why they are not there yet, where lazarus has done its part. */
  readonly waitsFor?: () => string | undefined;
  /** From the text with this digest to `now`, as lines for a person. */
  difference(path: string, digest: string, now: Uint8Array): Promise<readonly string[]>;
};

export async function findFile({ bench, workTree }: FileWorld, path: string): Promise<Found> {
  return { inTree: await workTree.read(path), committed: await fileAt(bench, await headCommit(bench), path) };
}

/** What missions will be judged by: what is committed, and before that what is about to be. */
export function countingBytes({ inTree, committed }: Found): Uint8Array | undefined {
  return committed ?? inTree;
}

/** Missions start from a commit, and files are compared with one. */
export async function headCommit({ parts }: Workbench): Promise<Oid> {
  const head = await parts.repository.resolve('HEAD');
  if (head === undefined) throw new Failure('no_commit');
  return head;
}
