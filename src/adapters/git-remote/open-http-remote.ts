// A remote for a repository that only this process reads, reached over HTTP alone: with the one credential of a job's
// environment and no git program, or as a person's configuration and helpers say. Where only git knows the way, openRemote is.
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { encodePack } from '../git/pack.ts';
import { createHttp, LIMITS } from '../system/http.ts';
import { parseAddress } from './address.ts';
import { credentialsFor, type LoginSources } from './credentials.ts';
import type { Environment } from './git-run.ts';
import type { HttpServer } from './http-ask.ts';
import { pushOverHttp } from './http-push.ts';
import { readIntoMemory } from './memory-reader.ts';
import { networkFolder } from './network-folder.ts';
import { TIMEOUTS_MS, type TimeoutsMs } from './network-git.ts';
import { isForGitAlone } from './only-git.ts';
import { reach } from './reach.ts';
import { assertUpdates } from './receive-pack.ts';

export type HttpRemoteOptions = {
  /** Where fetched objects go; nothing but this program ever reads there. */
  readonly repository: Repository;
  readonly url: string;
  readonly env: Environment;
  readonly timeoutsMs?: Partial<TimeoutsMs>;
};

export type HttpRemote = Remote & {
  /**
   * For whoever reads nothing from before a commit: from then on a server leaves out what is behind it, as if that were here.
   */
  readonly beginAt: (commit: Oid) => void;
};

/** For a job of seconds, which knows no proxy, no helper and no configuration. Undefined where only git knows the way. */
export function openHttpRemote(options: HttpRemoteOptions): HttpRemote | undefined {
  const { url, env } = options;
  const address = parseAddress(url);
  if (address.is !== 'http' || isForGitAlone(env)) return undefined;
  const http = createHttp(LIMITS);
  const credentials = credentialsFor(address, address.url, { env, ...NOBODY });
  return remoteAt({ url: address.url, http, credentials }, options, async () => http.close());
}

const NOBODY: Omit<LoginSources, 'env'> = {
  helper: {
    fill: () => Promise.resolve(undefined),
    approve: () => Promise.resolve(),
    reject: () => Promise.resolve(),
  },
  netrc: () => Promise.resolve(undefined),
};

/** For a person, as their git would go: their rules for addresses, certificates and logins. Undefined where it has to. */
export async function openPersonsHttpRemote(options: HttpRemoteOptions): Promise<Remote | undefined> {
  const { url, env, timeoutsMs = {} } = options;
  // What the person says of some folders only is said of none that this could stand for.
  const folders = networkFolder();
  try {
    const { path } = await folders.folder();
    const { source } = await reach({ cwd: path, where: { url }, env, timeoutsMs }, folders);
    const server = await source.web?.own.server();
    if (server !== undefined)
      return remoteAt(server, options, async () => {
        server.http.close();
        await folders.remove();
      });
    await folders.remove();
    return undefined;
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

function remoteAt(
  server: HttpServer,
  { repository, timeoutsMs }: Pick<HttpRemoteOptions, 'repository' | 'timeoutsMs'>,
  close: () => Promise<void>,
): HttpRemote {
  const { beginAt, ...reads } = readIntoMemory(server, repository, { ...TIMEOUTS_MS, ...timeoutsMs });
  return {
    displayUrl: server.url,
    ...reads,
    beginAt,
    push: async ({ objects, updates }) => {
      assertUpdates(updates);
      // Told to delete, a server that does not hold the old value's object compares nothing: git looks first as well.
      const deletions = updates.filter(({ next }) => next === undefined);
      const found = await reads.heads(deletions.map(({ ref }) => ref));
      if (deletions.some(({ ref, old }) => found.get(ref) !== old)) return { is: 'moved' };
      const outcome = await pushOverHttp(server, updates, encodePack(objects, { thin: true }));
      if (outcome === 'certificate_unknown') throw new Failure('certificate_refused', { url: server.url });
      return outcome;
    },
    pushStored: () => Promise.reject(new Failure('internal', { unsound: 'a push of what lies elsewhere' })),
    close,
  };
}
