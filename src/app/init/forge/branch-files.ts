// The files of the default branch that missions on a forge need: committed to it, or where whoever sets up may not push
// there, a pull request that somebody merges who may.
import { equalBytes } from '../../../format/bytes.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import { wholeText } from '../policy-changes.ts';
import type { PolicySource } from '../policy-files.ts';
import type { Ensured, Item, Would } from '../items.ts';
import { commitOrPropose } from './propose-files.ts';
import type { BranchFile } from './set-up-files.ts';
import { brokenRules, firstDrift } from './workflow-files.ts';
import type { ForgeWorld } from './world.ts';

type BranchWorld = Pick<ForgeWorld, 'repository' | 'facts' | 'near'>;

const SETUP_MESSAGE = 'Set up lazarus: form, workflows, policy, sacred scopes';
const AS_THEY_SHOULD_BE = { is: 'already there', says: 'all as they should be' } as const;

/** `files`: undefined as long as there is no project for them to name. */
export function branchFilesItem(
  world: BranchWorld,
  files: () => Promise<readonly BranchFile[] | undefined>,
  onWaiting: (forWhat: string) => void,
): Item {
  const branch = world.facts.defaultBranch;
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
      const result = await commitOrPropose(world, { message: SETUP_MESSAGE, files: changed });
      if (result.is === 'differs') onWaiting(result.says);
      return { ...result, says: `${result.says}${broken.join('')}` };
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
