// The files of a set-up taken off the default branch again, in one commit or one pull request: those that stand there as
// a lazarus wrote them. What a person changed is named with its line, and left.
import type { Item } from '../items.ts';
import { commitOrPropose } from './propose-files.ts';
import type { BranchFile } from './set-up-files.ts';
import { lineOfChange, standingFiles, type StandingFile } from './standing.ts';
import type { ForgeWorld } from './world.ts';

const MESSAGE = 'Take lazarus back: form, workflows, policy, sacred scopes';

/** `onWaiting`: told of the pull request that somebody has to merge first. */
export async function fileRemovals(
  world: Pick<ForgeWorld, 'repository' | 'facts' | 'near'>,
  files: readonly BranchFile[],
  onWaiting: (forWhat: string) => void,
): Promise<readonly Item[]> {
  const { repository, facts, near } = world;
  const standing = await standingFiles(near.parts.crypto, repository, files);
  const changed = standing.filter((file) => file.standing.is === 'changed');
  const ours = standing.filter(({ standing: { is } }) => is !== 'absent' && is !== 'changed');
  return [...(ours.length === 0 ? [] : [removal()]), ...changed.map((file) => left(file, facts.defaultBranch))];

  function removal(): Item {
    const says = ours.map(({ path }) => path).join(', ');
    return {
      name: 'branch_files',
      title: `files on ${facts.defaultBranch}`,
      would: says,
      async ensure() {
        const gone = ours.map(({ path }) => ({ path, content: undefined }));
        const result = await commitOrPropose(world, { message: MESSAGE, files: gone });
        if (result.is === 'differs') onWaiting(result.says);
        return result;
      },
    };
  }
}

function left(file: StandingFile, branch: string): Item {
  const { path } = file;
  const whose = file.is === 'theirs' ? 'people wrote their own' : 'somebody changed it';
  return {
    name: 'changed_file',
    title: path,
    look: () =>
      Promise.resolve({
        is: 'differs',
        says: `left alone: ${whose} (line ${lineOfChange(file)})`,
        next: `remove ${path} from ${branch} by hand, if nobody needs it`,
      }),
    act: () => Promise.reject(new TypeError('nothing is done to what is somebody else’s')),
  };
}
