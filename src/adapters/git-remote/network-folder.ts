// The git directory that git stands in while it talks to a remote. It is of our making, so that no configuration, hook or
// reference of somebody's repository is there to be obeyed; of that repository only the objects are lent to it.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type NetworkFolder = {
  readonly path: string;
  /** Names the objects where they are somebody else's. */
  readonly env: Readonly<Record<string, string>>;
};

export type NetworkFolders = {
  /** The same one each time, made when it is first needed. */
  readonly folder: () => Promise<NetworkFolder>;
  readonly remove: () => Promise<void>;
};

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

/**
 * Not below the repository: whoever may write there could put another folder, with other settings, under its name. In the
 * system's temporary folder nobody else may.
 */
export function lendObjects(objects: string): NetworkFolders {
  return madeOnce({ GIT_OBJECT_DIRECTORY: objects });
}

/** With no repository at all: for asking git about addresses and logins. */
export function networkFolder(): NetworkFolders {
  return madeOnce({});
}

function madeOnce(env: NetworkFolder['env']): NetworkFolders {
  let made: Promise<NetworkFolder> | undefined;
  const make = async (): Promise<NetworkFolder> => {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'lazarus-git-')));
    await mkdir(join(path, 'refs'));
    await mkdir(join(path, 'objects'));
    await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(path, 'config'), CONFIG);
    return { path, env };
  };
  return {
    folder: () => (made ??= make()),
    remove: async () => {
      const folder = await made?.catch(() => undefined);
      if (folder !== undefined) await rm(folder.path, { recursive: true, force: true });
    },
  };
}

/** A repository that this process made serves by itself, and is removed by whoever made it. */
export function ownRepository(path: string): NetworkFolders {
  return { folder: () => Promise.resolve({ path, env: {} }), remove: () => Promise.resolve() };
}
