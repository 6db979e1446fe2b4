// The items that place lazarus' files in the work tree and, when asked to, commit them. What people wrote there is never
// overwritten; only the copy of the roster is renewed, and only where git has what it replaces.
import { equalBytes, utf8 } from '../../format/bytes.ts';
import type { CommitFile } from '../../ports/work-tree.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import { findFile, POLICY_PATH, ROSTER_PATH, SACRED_PATH, type FileWorld } from './policy-files.ts';
import { rosterFile } from './roster-file.ts';
import type { Found, Item } from './items.ts';

export const COMMIT_MESSAGE = 'Set up lazarus: policy, sacred scopes, copy of the roster';

export function templateItem(
  world: FileWorld,
  { name, path, template }: { readonly name: string; readonly path: string; readonly template: Uint8Array },
): Item {
  return {
    name,
    title: path,
    async look(): Promise<Found> {
      const { inTree, committed } = await findFile(world, path);
      if (inTree === undefined)
        return committed === undefined
          ? { is: 'absent', says: 'from the template' }
          : { is: 'differs', says: 'committed, but deleted in the work tree', next: `git restore ${path}` };
      if (committed === undefined) return { is: 'there', says: 'not committed yet' };
      return equalBytes(inTree, committed)
        ? { is: 'there', says: 'committed' }
        : {
            is: 'differs',
            says: 'what is committed counts, and the work tree has something else',
            next: `git commit ${path}; lazarus policy adopt`,
          };
    },
    async act() {
      await world.workTree.write({ path, content: template });
      return 'from the template';
    },
  };
}

/** `roster` is undefined while there is no project. */
export function rosterFileItem(world: FileWorld, roster: () => Promise<Roster | undefined>): Item {
  const wanted = async (): Promise<Uint8Array | undefined> => {
    const current = await roster();
    return current === undefined ? undefined : utf8(rosterFile(current));
  };
  return {
    name: 'roster_file',
    title: ROSTER_PATH,
    async look(): Promise<Found> {
      const content = await wanted();
      const { inTree, committed } = await findFile(world, ROSTER_PATH);
      if (content === undefined) return { is: 'absent', says: 'a copy of the roster' };
      if (inTree !== undefined && equalBytes(inTree, content)) return { is: 'there', says: 'as the roster in force' };
      const isKept = inTree === undefined || (committed !== undefined && equalBytes(inTree, committed));
      return isKept
        ? { is: 'absent', says: 'a copy of the roster in force' }
        : { is: 'differs', says: 'is not the roster in force; changes that are not committed were left alone' };
    },
    async act() {
      await world.workTree.write({ path: ROSTER_PATH, content: (await wanted())! });
      return 'a copy of the roster in force';
    },
  };
}

export function commitItem(world: FileWorld, author: () => { readonly name: string; readonly email: string }): Item {
  return {
    name: 'commit',
    title: 'commit of these files',
    async look(): Promise<Found> {
      const changed = await uncommitted(world);
      return changed.length === 0
        ? { is: 'there', says: 'nothing to commit' }
        : { is: 'absent', says: changed.map(({ path }) => path).join(', ') };
    },
    async act() {
      const files = await uncommitted(world);
      const commit = await world.workTree.commit({ files, message: `${COMMIT_MESSAGE}\n`, author: author() });
      return `${commit.slice(0, 12)} (${files.length} ${files.length === 1 ? 'file' : 'files'})`;
    },
  };
}

/** Of lazarus' files those that stand in the work tree otherwise than committed. */
export async function uncommitted(world: FileWorld): Promise<(CommitFile & { readonly isNew: boolean })[]> {
  const changed: (CommitFile & { readonly isNew: boolean })[] = [];
  for (const path of [POLICY_PATH, SACRED_PATH, ROSTER_PATH]) {
    const { inTree, committed } = await findFile(world, path);
    if (inTree === undefined || (committed !== undefined && equalBytes(inTree, committed))) continue;
    changed.push({ path, content: inTree, isNew: committed === undefined });
  }
  return changed;
}
