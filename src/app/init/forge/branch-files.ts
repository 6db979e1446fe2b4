// The files of the default branch that missions on a forge need. The first time they are committed to it; once rules
// protect them, every change is a pull request that an administrator merges, lazarus included.
import { concat, equalBytes, hex, utf8 } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import { wholeText } from '../policy-changes.ts';
import type { PolicySource } from '../policy-files.ts';
import type { Ensured, Step } from '../steps.ts';
import type { ForgeWorld } from './world.ts';

export type BranchFile = CommitFile & {
  /** What people wrote there stands; otherwise it is brought to what lazarus makes. */
  readonly isTheirs: boolean;
};

const SETUP_MESSAGE = 'Set up lazarus: form, workflows, policy, sacred scopes';

export function branchFilesStep(
  world: ForgeWorld,
  files: () => Promise<readonly BranchFile[]>,
  onWaiting: (forWhat: string) => void,
): Step {
  const { repository, facts } = world;
  const branch = facts.defaultBranch;
  return {
    name: 'branch_files',
    title: `files on ${branch}`,
    would: 'form, workflows, policy, sacred scopes, copy of the roster',
    async ensure(): Promise<Ensured> {
      const changed = await outOfDate(world, await files());
      if (changed.length === 0) return { is: 'already there', says: 'all as they should be' };
      const says = changed.map(({ path }) => path).join(', ');
      try {
        await repository.commitFiles({ branch, message: `${SETUP_MESSAGE}\n`, files: changed });
        return { is: 'done', says };
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'forge_refused') throw error;
        const waiting = await pullRequest(world, changed);
        onWaiting(waiting.says);
        return waiting;
      }
    },
  };
}

/** What counts on a forge is its default branch. */
export function defaultBranchFiles({ repository }: ForgeWorld, waitsFor: () => string | undefined): PolicySource {
  return {
    waitsFor,
    find: async (path) => ({ inTree: undefined, committed: await repository.readFile(path) }),
    difference: (_path, _digest, now) => Promise.resolve(wholeText(now)),
  };
}

async function outOfDate({ repository }: ForgeWorld, files: readonly BranchFile[]): Promise<readonly CommitFile[]> {
  const changed: CommitFile[] = [];
  for (const { path, content, isTheirs } of files) {
    const there = await repository.readFile(path);
    if (there === undefined || (!isTheirs && !equalBytes(there, content))) changed.push({ path, content });
  }
  return changed;
}

async function pullRequest({ repository, facts, near }: ForgeWorld, files: readonly CommitFile[]): Promise<Ensured> {
  const base = facts.defaultBranch;
  // The same change has the same branch, so that a rerun finds its own pull request again.
  const bytes = concat(files.flatMap(({ path, content }) => [utf8(`${path}\0${content.length}\0`), content]));
  const name = hex(near.parts.crypto.hash('sha256', bytes)).slice(0, 12);
  const head = `lazarus-init/${name}`;
  await repository.commitFiles({ branch: head, from: base, message: `${SETUP_MESSAGE}\n`, files });
  const known = await repository.findPullRequest(head, base);
  const body =
    'Opened by `lazarus init`: these files are protected, so that no job can change them. An administrator of this repository merges it.';
  const request =
    known?.state === 'open' ? known : await repository.openPullRequest({ title: SETUP_MESSAGE, body, head, base });
  return {
    is: 'differs',
    says: `protected; pull request ${request.number} changes ${files.map(({ path }) => path).join(', ')}`,
    next: `an administrator of the repository merges ${request.url}; then the same command again`,
  };
}
