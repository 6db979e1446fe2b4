// Opens a remote Git repository for use: picks the transport by its address and keeps credentials to themselves.
// The port's promises are kept here; how bytes travel is told by its neighbours.
import { Failure } from '../../failure.ts';
import type { PushOutcome, Remote } from '../../ports/remote.ts';
import type { Change, Repository } from '../../ports/repository.ts';
import { encodePack } from '../git/pack.ts';
import type { Address } from './address.ts';
import { basicAuthorization, credentialsFor, type Credential, type Credentials } from './credentials.ts';
import { fetchPartThroughGit, fetchThroughGit, headsThroughGit } from './git-fetch.ts';
import { pushThroughGit } from './git-push.ts';
import { createHttp, LIMITS, type Limits, type Http } from '../system/http.ts';
import { pushOverHttp } from './http-push.ts';
import { httpWay, locate, type Where } from './locate.ts';
import { loginSources } from './login-sources.ts';
import {
  createNetworkGit,
  TIMEOUTS_MS,
  type Environment,
  type NetworkGit,
  type Settings,
  type TimeoutsMs,
} from './network-git.ts';
import { assertUpdates } from './receive-pack.ts';

export type RemoteOptions = {
  /** Where fetched objects go, and where those of a push through git come from. */
  readonly repository: Repository;
  /** A folder of that repository, for git to stand in. */
  readonly cwd: string;
  readonly where: Where;
  readonly env: Environment;
  readonly limits?: Partial<Limits>;
  readonly timeoutsMs?: Partial<TimeoutsMs>;
};

export async function openRemote(options: RemoteOptions): Promise<Remote> {
  const { repository, cwd, env } = options;
  const git = createNetworkGit(cwd, env, { ...TIMEOUTS_MS, ...options.timeoutsMs });
  const located = await locate(git, options.where);
  const source = endpoint(git, env, located.fetch);
  const target = located.push.url === located.fetch.url ? source : endpoint(git, env, located.push);
  const { push, pushStored, close } = pusher(target, {
    git,
    env,
    repository,
    limits: { ...LIMITS, ...options.limits },
  });
  return {
    displayUrl: located.fetch.url,
    heads: async (refs) => authorized(source, async (settings) => headsThroughGit(git, settings, source.url, refs)),
    fetch: async (refs, into) =>
      authorized(source, async (settings) => fetchThroughGit(git, settings, source.url, refs, into)),
    fetchPart: async (part, into) =>
      authorized(source, async (settings) => fetchPartThroughGit(git, settings, source.url, part, into)),
    push,
    pushStored,
    close,
  };
}

type Endpoint = { readonly is: Address['is']; readonly url: string; readonly credentials: Credentials | undefined };
type Means = {
  readonly git: NetworkGit;
  readonly env: Environment;
  readonly repository: Repository;
  readonly limits: Limits;
};

function endpoint(git: NetworkGit, env: Environment, address: Address): Endpoint {
  const { is, url } = address;
  if (is !== 'http') return { is, url, credentials: undefined };
  return { is, url, credentials: credentialsFor(address, url, loginSources(git, env, url)) };
}

function pusher(
  target: Endpoint,
  { git, env, repository, limits }: Means,
): Pick<Remote, 'push' | 'pushStored' | 'close'> {
  const { url, credentials } = target;
  let poster: Promise<Http | 'through_git'> | undefined;

  async function throughGit(change: Change): Promise<PushOutcome> {
    // Unreferenced until the remote has taken them; git sends from what is stored.
    await repository.commit({ objects: change.objects, updates: [] });
    return authorized(target, async (settings) => pushThroughGit(git, settings, url, change.updates));
  }

  async function chosenPoster(): Promise<Http | 'through_git'> {
    const way = await httpWay(git, env, url);
    return way.is === 'post' ? createHttp(limits, way.ca) : 'through_git';
  }

  async function push(change: Change): Promise<PushOutcome> {
    assertUpdates(change.updates);
    if (credentials === undefined) return throughGit(change);
    // receive-pack forgets the old value of a deletion when it does not hold that object, and deletes whatever is
    // there; git compares with the advertised value before it asks.
    if (change.updates.some((update) => update.next === undefined)) return throughGit(change);
    const own = await (poster ??= chosenPoster());
    if (own === 'through_git') return throughGit(change);
    const pack = encodePack(change.objects, { thin: true });
    const outcome = await pushOverHttp({ url, http: own, credentials }, change.updates, pack);
    if (outcome !== 'certificate_unknown') return outcome;
    own.close();
    poster = Promise.resolve('through_git');
    return throughGit(change);
  }

  async function close(): Promise<void> {
    const own = await poster;
    if (own !== undefined && own !== 'through_git') own.close();
  }

  const pushStored: Remote['pushStored'] = async (updates) => {
    assertUpdates(updates);
    return throughGit({ objects: [], updates });
  };
  return { push, pushStored, close };
}

/** Runs a git command, once for each credential there is, until the remote stops asking for another. */
async function authorized<T>(at: Endpoint, run: (settings: Settings) => Promise<T>): Promise<T> {
  if (at.credentials === undefined) return run([]);
  let credential = await at.credentials.first();
  for (;;) {
    try {
      const result = await run(httpSettings(at.url, credential));
      await at.credentials.accepted(credential);
      return result;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'authentication_needed') throw error;
      credential = await at.credentials.next(credential);
    }
  }
}

const STALL_SECONDS = '60';

function httpSettings(url: string, credential: Credential | undefined): Settings {
  const settings: [string, string][] = [
    // curl would carry the header below to wherever a redirect points.
    ['http.followRedirects', 'false'],
    // Helpers are asked by us, in our order, and never for plain http.
    ['credential.helper', ''],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', STALL_SECONDS],
  ];
  if (credential === undefined) return settings;
  const header = `http.${url}.extraHeader`;
  // The empty one forgets headers of the user's configuration: two Authorization headers are an error.
  return [...settings, [header, ''], [header, `Authorization: ${basicAuthorization(credential)}`]];
}
