// The files of the default branch that missions on a forge need: committed to it, or where whoever sets up may not push
// there, a pull request that somebody merges who may.
import { concat, equalBytes, hex, utf8 } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import { wholeText } from '../policy-changes.ts';
import type { PolicySource } from '../policy-files.ts';
import type { Ensured, Item, Would } from '../items.ts';
import { brokenRules, firstDrift } from './workflow-files.ts';
import type { ForgeWorld } from './world.ts';

export type BranchFile = CommitFile & {
  /** What people wrote there stands; otherwise it is brought to what lazarus makes. */
  readonly isTheirs: boolean;
};

type BranchWorld = Pick<ForgeWorld, 'repository' | 'facts' | 'near'>;

const SETUP_MESSAGE = 'Set up lazarus: form, workflows, policy, sacred scopes';
const AS_THEY_SHOULD_BE = { is: 'already there', says: 'all as they should be' } as const;

/** `files`: undefined as long as there is no project for them to name. */
export function branchFilesItem(
  world: BranchWorld,
  files: () => Promise<readonly BranchFile[] | undefined>,
  onWaiting: (forWhat: string) => void,
): Item {
  const { repository, facts } = world;
  const branch = facts.defaultBranch;
  return {
    name: 'branch_files',
    title: `files on ${branch}`,
    async would(): Promise<Would> {
      const wanted = await files();
      if (wanted === undefined)
        return { is: 'would', says: 'form, workflows, policy, sacred scopes, copy of the roster' };
      const changed = await outOfDate(world, wanted);
      if (changed.length === 0) return AS_THEY_SHOULD_BE;
      const broken = rulesBrokenBy(changed);
      if (broken.length > 0)
        return {
          is: 'differs',
          says: broken.join('; '),
          next: 'find out who changed it and what ran since; the same command without --dry-run brings it back',
        };
      const drifts = changed.flatMap(({ path, there, content }) =>
        there === undefined ? [] : firstDrift(path, there, content),
      );
      return { is: 'would', says: [changed.map(({ path }) => path).join(', '), ...drifts].join('; ') };
    },
    async ensure(): Promise<Ensured> {
      // The project was begun and pushed by the items before this one.
      const changed = await outOfDate(world, (await files())!);
      if (changed.length === 0) return AS_THEY_SHOULD_BE;
      const broken = rulesBrokenBy(changed).map((one) => `; before: ${one}`);
      const says = `${changed.map(({ path }) => path).join(', ')}${broken.join('')}`;
      try {
        await repository.commitFiles({ branch, message: `${SETUP_MESSAGE}\n`, files: changed.map(fileOf) });
        return { is: 'done', says };
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'forge_refused') throw error;
        const waiting = await pullRequest(world, changed.map(fileOf));
        onWaiting(waiting.says);
        return { ...waiting, says: `${waiting.says}${broken.join('')}` };
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

type OutOfDate = CommitFile & { readonly there: Uint8Array | undefined };

async function outOfDate({ repository }: BranchWorld, files: readonly BranchFile[]): Promise<readonly OutOfDate[]> {
  const changed: OutOfDate[] = [];
  for (const { path, content, isTheirs } of files) {
    const there = await repository.readFile(path);
    if (there === undefined || (!isTheirs && !equalBytes(there, content))) changed.push({ path, content, there });
  }
  return changed;
}

/** By workflows as they stand: what this version would write keeps them all. */
function rulesBrokenBy(changed: readonly OutOfDate[]): readonly string[] {
  return changed.flatMap(({ path, there }) => (there === undefined ? [] : brokenRules(path, there)));
}

function fileOf({ path, content }: OutOfDate): CommitFile {
  return { path, content };
}

async function pullRequest({ repository, facts, near }: BranchWorld, files: readonly CommitFile[]): Promise<Ensured> {
  const base = facts.defaultBranch;
  // The same change has the same branch, so that a rerun finds its own pull request again.
  const bytes = concat(files.flatMap(({ path, content }) => [utf8(`${path}\0${content.length}\0`), content]));
  const name = hex(near.parts.crypto.hash('sha256', bytes)).slice(0, 12);
  const head = `lazarus-init/${name}`;
  await repository.commitFiles({ branch: head, from: base, message: `${SETUP_MESSAGE}\n`, files });
  const known = await repository.findPullRequest(head, base);
  const body = `Opened by \`lazarus init\`: whoever ran it may not push to \`${base}\`. Whoever the branch’s rule names merges it, like any other.`;
  const request =
    known?.state === 'open' ? known : await repository.openPullRequest({ title: SETUP_MESSAGE, body, head, base });
  return {
    is: 'differs',
    says: `not pushed; pull request ${request.number} changes ${files.map(({ path }) => path).join(', ')}`,
    next: `merged by whoever may merge into ${base}: ${request.url}; then the same command again`,
  };
}
