// Opens a remote Git repository for use: picks the transport by its address and keeps credentials to themselves.
// The port's promises are kept here; how bytes travel is told by its neighbours.
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import type { PushOutcome, Remote } from '../../ports/remote.ts';
import type { Change, Repository } from '../../ports/repository.ts';
import { runGit } from '../git/git.ts';
import { encodePack } from '../git/pack.ts';
import type { Address } from './address.ts';
import { missingHere, readConfiguration, type Configuration, type Setting } from './configuration.ts';
import { basicAuthorization, credentialsFor, type Credential, type Credentials } from './credentials.ts';
import { endpointOf, type Endpoint } from './endpoint.ts';
import { fetchPartThroughGit, fetchThroughGit, headsThroughGit } from './git-fetch.ts';
import { pushThroughGit } from './git-push.ts';
import type { Environment } from './git-run.ts';
import { createHttp, LIMITS, type Limits, type Http } from '../system/http.ts';
import { pushOverHttp } from './http-push.ts';
import { fetchForLender } from './lent-fetch.ts';
import { httpWay, locate, type Located, type Where } from './locate.ts';
import { loginSources } from './login-sources.ts';
import {
  createNetworkGit,
  networkEnvironment,
  TIMEOUTS_MS,
  type NetworkGit,
  type Settings,
  type TimeoutsMs,
} from './network-git.ts';
import { lendObjects, ownRepository, type NetworkFolders } from './network-folder.ts';
import { assertUpdates } from './receive-pack.ts';

export type RemoteOptions = {
  /** Where fetched objects go, and where those of a push through git come from. */
  readonly repository: Repository;
  /** A folder of that repository: a remote's name, and an address that is a relative path, are read from there. */
  readonly cwd: string;
  readonly where: Where;
  readonly env: Environment;
  /** This process made the repository for itself, bare, and nobody else has touched it: git may stand in it. */
  readonly isOwn?: boolean;
  readonly limits?: Partial<Limits>;
  readonly timeoutsMs?: Partial<TimeoutsMs>;
};

export async function openRemote(options: RemoteOptions): Promise<Remote> {
  const { repository, cwd, env, isOwn = false } = options;
  const timeoutsMs = { ...TIMEOUTS_MS, ...options.timeoutsMs };
  const gitDir = dirname(repository.stateDir);
  const folders = isOwn ? ownRepository(gitDir) : lendObjects(join(gitDir, 'objects'));
  try {
    const configuration = await readConfiguration(cwd, networkEnvironment(env), timeoutsMs.local);
    const always = await onlyForThisRepository(configuration, { folders, env, timeoutsMs });
    const git = createNetworkGit(folders.folder, { env, timeoutsMs, always });
    const located = await inPlace(locate(configuration, options.where), options);
    const source = reach(git, env, located.fetch);
    const target = located.push.url === located.fetch.url ? source : reach(git, env, located.push);
    const means = { git, env, repository, person: configuration.person, limits: { ...LIMITS, ...options.limits } };
    const { push, pushStored, close } = pusher(target, means);
    return {
      displayUrl: located.fetch.url,
      ...reader(source, git, isOwn ? undefined : { gitDir, repository }),
      push,
      pushStored,
      close: async () => {
        await close();
        await folders.remove();
      },
    };
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

/**
 * A person's configuration may hold more for some folders than for others (`includeIf`). Git, which stands elsewhere, does
 * not find that by itself, so it is told.
 */
async function onlyForThisRepository(
  { person }: Configuration,
  at: { readonly folders: NetworkFolders; readonly env: Environment; readonly timeoutsMs: TimeoutsMs },
): Promise<readonly Setting[]> {
  if (!person.some(([key]) => key.startsWith('includeif.'))) return [];
  const { path } = await at.folders.folder();
  const there = await readConfiguration(path, networkEnvironment(at.env), at.timeoutsMs.local);
  return missingHere(person, there.person).filter(([key]) => !key.startsWith('include'));
}

/** Git stands elsewhere: a relative path is made whole. As for git, a configured one begins where the files do. */
async function inPlace({ fetch, push }: Located, { where, cwd }: RemoteOptions): Promise<Located> {
  const isRelative = ({ is, url }: Address): boolean => is === 'file' && !/^(?:\/|file:)/.test(url);
  if (!isRelative(fetch) && !isRelative(push)) return { fetch, push };
  const asked = 'url' in where ? undefined : await runGit({ cwd }, ['rev-parse', '--show-toplevel']);
  const from = asked?.exitCode === 0 ? asked.stdout.replace(/\n$/, '') : cwd;
  const whole = (one: Address): Address => (isRelative(one) ? { ...one, url: resolve(from, one.url) } : one);
  return { fetch: whole(fetch), push: whole(push) };
}

type Reached = Endpoint & { readonly credentials: Credentials | undefined };
type Means = {
  readonly git: NetworkGit;
  readonly env: Environment;
  readonly repository: Repository;
  readonly person: readonly Setting[];
  readonly limits: Limits;
};

function reach(git: NetworkGit, env: Environment, address: Address): Reached {
  const { is, url } = address;
  const credentials = is === 'http' ? credentialsFor(address, url, loginSources(git, env, url)) : undefined;
  return { ...endpointOf(address), credentials };
}

function reader(
  source: Reached,
  git: NetworkGit,
  lender: { readonly gitDir: string; readonly repository: Repository } | undefined,
): Pick<Remote, 'heads' | 'fetch' | 'fetchPart'> {
  const fetchInto = async (refs: readonly string[], into: string): Promise<void> =>
    authorized(source, async (settings) => fetchThroughGit(git, settings, source, refs, into));
  const lent = lender && fetchForLender(lender.gitDir, lender.repository, async () => (await git.folder()).path);
  return {
    heads: async (refs) => authorized(source, async (settings) => headsThroughGit(git, settings, source, refs)),
    fetch: async (refs, into) => {
      if (refs.length === 0) return;
      await (lent === undefined ? fetchInto(refs, into) : lent.run(into, async (aside) => fetchInto(refs, aside)));
    },
    fetchPart: async (part, into) => {
      // How far back a part goes is written into the repository that git stands in.
      if (lent !== undefined) throw new Failure('internal', { unsound: 'a part of a history, for somebody’s clone' });
      await authorized(source, async (settings) => fetchPartThroughGit(git, settings, source, part, into));
    },
  };
}

function pusher(
  target: Reached,
  { git, env, repository, person, limits }: Means,
): Pick<Remote, 'push' | 'pushStored' | 'close'> {
  const { url, credentials } = target;
  let poster: Promise<Http | 'through_git'> | undefined;

  async function throughGit(change: Change): Promise<PushOutcome> {
    // Unreferenced until the remote has taken them; git sends from what is stored.
    await repository.commit({ objects: change.objects, updates: [] });
    return authorized(target, async (settings) => pushThroughGit(git, settings, target, change.updates));
  }

  async function chosenPoster(): Promise<Http | 'through_git'> {
    const way = await httpWay(git, { env, person }, url);
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
async function authorized<T>(at: Reached, run: (settings: Settings) => Promise<T>): Promise<T> {
  if (at.credentials === undefined) return run(at.settings);
  let credential = await at.credentials.first();
  for (;;) {
    try {
      const result = await run([...at.settings, ...httpSettings(at.url, credential)]);
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
