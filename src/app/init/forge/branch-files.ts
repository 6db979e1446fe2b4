// The files of the default branch that missions on a forge need: committed to it, or where whoever sets up may not push
// there, a pull request that somebody merges who may. What an earlier version wrote is brought up to date; what people
// changed is left, and shown to them.
import type { CommitFile } from '../../../ports/work-tree.ts';
import { VERSION } from '../../../version.ts';
import { wholeText } from '../policy-changes.ts';
import type { PolicySource } from '../policy-files.ts';
import type { Ensured, Found, Item, Would } from '../items.ts';
import { commitOrPropose } from './propose-files.ts';
import type { BranchFile } from './set-up-files.ts';
import { differenceOf, standingFiles, type StandingFile } from './standing.ts';
import { brokenRules } from './workflow-files.ts';
import { setUpLine, type ForgeWorld } from './world.ts';

type BranchWorld = Pick<ForgeWorld, 'forge' | 'name' | 'repository' | 'facts' | 'near'>;

export type FilesWanted = {
  /** Undefined as long as there is no project for them to name. */
  readonly files: () => Promise<readonly BranchFile[] | undefined>;
  /** Paths whose people want what lazarus writes there in the place of their changes. */
  readonly overwrite: readonly string[];
  readonly onWaiting: (forWhat: string) => void;
  /** A workflow that breaks a rule stays on the branch. */
  readonly onUnsafe: (path: string) => void;
};

const SETUP_MESSAGE = 'Set up lazarus: form, workflows, policy, sacred scopes';
const AS_THEY_SHOULD_BE = { is: 'already there', says: 'all as they should be' } as const;

export function branchFilesItem(world: BranchWorld, wanted: FilesWanted): Item {
  const branch = world.facts.defaultBranch;
  return {
    name: 'branch_files',
    title: `files on ${branch}`,
    async would(): Promise<Would> {
      const files = await wanted.files();
      if (files === undefined)
        return { is: 'would', says: 'form, workflows, policy, sacred scopes, copy of the roster' };
      const { due, newer } = await sorted(world, files, wanted);
      if (newer !== undefined) return tooOld(world, newer);
      if (due.length === 0) return AS_THEY_SHOULD_BE;
      const broken = rulesBrokenBy(due);
      if (broken.length > 0)
        return {
          is: 'differs',
          says: broken.join('; '),
          next: 'find out who changed it and what ran since; the same command without --dry-run brings it back',
        };
      return { is: 'would', says: wordsOf(due) };
    },
    async ensure(): Promise<Ensured> {
      // The project was begun and pushed by the items before this one.
      const { due, newer } = await sorted(world, (await wanted.files())!, wanted);
      if (newer !== undefined) {
        wanted.onWaiting(`a newer lazarus than ${VERSION}`);
        return tooOld(world, newer);
      }
      if (due.length === 0) return AS_THEY_SHOULD_BE;
      const broken = rulesBrokenBy(due).map((one) => `; before: ${one}`);
      const files: readonly CommitFile[] = due.map(({ path, content }) => ({ path, content }));
      const result = await commitOrPropose(world, { message: SETUP_MESSAGE, files });
      if (result.is === 'differs') wanted.onWaiting(result.says);
      const says = result.is === 'done' ? wordsOf(due) : result.says;
      return { ...result, says: `${says}${broken.join('')}` };
    },
  };
}

/** Theirs to keep: each is named with the difference, and with the line that gives it up. */
export function changedFilesItem(world: BranchWorld, wanted: FilesWanted): Item {
  return {
    name: 'changed_files',
    title: `files that people changed on ${world.facts.defaultBranch}`,
    async look(): Promise<Found> {
      const files = await wanted.files();
      const { left } = files === undefined ? { left: [] } : await sorted(world, files, wanted);
      if (left.length === 0) return { is: 'there', says: 'none of those that a set-up writes' };
      const broken = rulesBrokenBy(left);
      for (const { path } of left)
        if (rulesBrokenBy(left.filter((one) => one.path === path)).length > 0) wanted.onUnsafe(path);
      const paths = left.map(({ path }) => path);
      const line = setUpLine(world, `--overwrite ${paths.join(' ')}`);
      return {
        is: 'differs',
        says: [`left alone: ${paths.join(', ')}`, ...broken].join('; '),
        difference: left.flatMap((file) => [
          `${file.path}, as it is (-) and as lazarus ${VERSION} writes it (+)`,
          ...differenceOf(file),
        ]),
        next: broken.length > 0 ? `find out who changed it and what ran since; then: ${line}` : line,
      };
    },
    act: () => Promise.reject(new TypeError('nothing is done to what is somebody else’s')),
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

type Sorted = {
  /** To be written. */
  readonly due: readonly StandingFile[];
  /** Changed by people, who have not said that they give it up. */
  readonly left: readonly StandingFile[];
  /** The version of a newer lazarus, whose files call each other and are not mixed with older ones. */
  readonly newer: string | undefined;
};

async function sorted(
  { near, repository }: BranchWorld,
  files: readonly BranchFile[],
  { overwrite }: FilesWanted,
): Promise<Sorted> {
  const standing = await standingFiles(near.parts.crypto, repository, files);
  const isGivenUp = ({ path }: StandingFile): boolean => overwrite.includes(path);
  const newer = standing.flatMap((file) =>
    file.standing.is === 'newer' && !isGivenUp(file) ? [file.standing.by] : [],
  );
  return {
    due: standing.filter(
      (file) => ['absent', 'earlier'].includes(file.standing.is) || (file.standing.is !== 'same' && isGivenUp(file)),
    ),
    left: standing.filter((file) => file.is === 'marked' && file.standing.is === 'changed' && !isGivenUp(file)),
    newer: newer[0],
  };
}

function tooOld(world: BranchWorld, newer: string): Extract<Ensured, { is: 'differs' }> {
  return {
    is: 'differs',
    says: `left alone: lazarus ${newer} wrote them, and this is ${VERSION}`,
    next: `install lazarus ${newer} or newer here, then: ${setUpLine(world)}`,
  };
}

function wordsOf(due: readonly StandingFile[]): string {
  const from = new Set(
    due.flatMap(({ is, standing }) => (is === 'marked' && standing.is === 'earlier' ? [madeBy(standing.by)] : [])),
  );
  const paths = due.map(({ path }) => path).join(', ');
  return from.size === 0 ? paths : `${paths}; up to now by ${[...from].join(', ')}`;
}

function madeBy(version: string | undefined): string {
  if (version === undefined) return 'a lazarus from before files named it';
  return version === VERSION ? `another build of lazarus ${version}` : `lazarus ${version}`;
}

/** By workflows as they stand: what this version would write keeps them all. */
function rulesBrokenBy(files: readonly StandingFile[]): readonly string[] {
  return files.flatMap(({ path, there }) => (there === undefined ? [] : brokenRules(path, there)));
}
