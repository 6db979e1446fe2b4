// The files of a set-up taken off the default branch again, in one commit or one pull request: those that stand there as
// lazarus writes them. What a person changed is named with its line, and left.
import { equalBytes } from '../../../format/bytes.ts';
import { workflowDrift } from '../../../forge-text/workflow-lint.ts';
import type { Item } from '../items.ts';
import { ROSTER_PATH } from '../policy-files.ts';
import { commitOrPropose } from './propose-files.ts';
import type { BranchFile } from './set-up-files.ts';
import type { ForgeWorld } from './world.ts';

type Standing = BranchFile & { readonly there: Uint8Array };

const MESSAGE = 'Take lazarus back: form, workflows, policy, sacred scopes';

/** `onWaiting`: told of the pull request that somebody has to merge first. */
export async function fileRemovals(
  world: Pick<ForgeWorld, 'repository' | 'facts' | 'near'>,
  files: readonly BranchFile[],
  onWaiting: (forWhat: string) => void,
): Promise<readonly Item[]> {
  const { repository, facts } = world;
  const standing: Standing[] = [];
  for (const file of files) {
    const there = await repository.readFile(file.path);
    if (there !== undefined) standing.push({ ...file, there });
  }
  const ours = standing.filter(isAsMade);
  const changed = standing.filter((file) => !isAsMade(file));
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

/** Nobody's words stand in the copy of the roster: whichever roster it is of, lazarus wrote it. */
function isAsMade({ path, content, there }: Standing): boolean {
  return path === ROSTER_PATH || equalBytes(content, there);
}

function left({ path, content, there, isTheirs }: Standing, branch: string): Item {
  const { line } = workflowDrift(lenient.decode(content), lenient.decode(there))!;
  const whose = isTheirs ? 'people wrote their own' : 'somebody changed it, or an older lazarus wrote it';
  return {
    name: 'changed_file',
    title: path,
    look: () =>
      Promise.resolve({
        is: 'differs',
        says: `left alone: ${whose} (line ${line})`,
        next: `remove ${path} from ${branch} by hand, if nobody needs it`,
      }),
    act: () => Promise.reject(new TypeError('nothing is done to what is somebody else’s')),
  };
}

/** What is no UTF-8 differs all the same. */
const lenient = new TextDecoder();
