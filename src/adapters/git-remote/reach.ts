// What it takes to reach a remote that a person named: where it lies by their configuration, a git that stands apart from
// everybody's repository, and the logins of each address. Sends nothing.
import { resolve } from 'node:path';
import { runGit } from '../git/git.ts';
import { LIMITS, type Limits } from '../system/http.ts';
import type { Address } from './address.ts';
import { missingHere, readConfiguration, type Configuration, type Setting } from './configuration.ts';
import { credentialsFor, type Credentials } from './credentials.ts';
import { endpointOf, type Endpoint } from './endpoint.ts';
import type { Environment } from './git-run.ts';
import { locate, type Located, type Where } from './locate.ts';
import { loginSources } from './login-sources.ts';
import type { NetworkFolders } from './network-folder.ts';
import { createNetworkGit, networkEnvironment, TIMEOUTS_MS, type NetworkGit, type TimeoutsMs } from './network-git.ts';
import { httpWay } from './only-git.ts';
import { ownHttp, type OwnHttp } from './own-http.ts';

export type Reached = Endpoint & {
  /** Of HTTP, with what is to be told there; other ways have logins of their own. */
  readonly web: { readonly credentials: Credentials; readonly own: OwnHttp } | undefined;
};

export type Reach = { readonly git: NetworkGit; readonly source: Reached; readonly target: Reached };

export type From = {
  /** A folder of the repository: a remote's name, and an address that is a relative path, are read from there. */
  readonly cwd: string;
  readonly where: Where;
  readonly env: Environment;
  readonly limits?: Partial<Limits>;
  readonly timeoutsMs?: Partial<TimeoutsMs>;
};

export async function reach(from: From, folders: NetworkFolders): Promise<Reach> {
  const { cwd, env } = from;
  const timeoutsMs = { ...TIMEOUTS_MS, ...from.timeoutsMs };
  const configuration = await readConfiguration(cwd, networkEnvironment(env), timeoutsMs.local);
  const always = await onlyForThisRepository(configuration, { folders, env, timeoutsMs });
  const git = createNetworkGit(folders.folder, { env, timeoutsMs, always });
  const located = await inPlace(locate(configuration, from.where), from);
  const at = (address: Address): Reached => reached(git, address, { ...from, person: configuration.person });
  const source = at(located.fetch);
  return { git, source, target: located.push.url === located.fetch.url ? source : at(located.push) };
}

function reached(
  git: NetworkGit,
  address: Address,
  { env, limits, person }: From & { readonly person: readonly Setting[] },
): Reached {
  const { is, url } = address;
  if (is !== 'http') return { ...endpointOf(address), web: undefined };
  const credentials = credentialsFor(address, url, loginSources(git, env, url));
  const way = () => httpWay(git, { env, person }, url);
  const own = ownHttp({ url, credentials }, { way, limits: { ...LIMITS, ...limits } });
  return { ...endpointOf(address), web: { credentials, own } };
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
async function inPlace({ fetch, push }: Located, { where, cwd }: From): Promise<Located> {
  const isRelative = ({ is, url }: Address): boolean => is === 'file' && !/^(?:\/|file:)/.test(url);
  if (!isRelative(fetch) && !isRelative(push)) return { fetch, push };
  const asked = 'url' in where ? undefined : await runGit({ cwd }, ['rev-parse', '--show-toplevel']);
  const from = asked?.exitCode === 0 ? asked.stdout.replace(/\n$/, '') : cwd;
  const whole = (one: Address): Address => (isRelative(one) ? { ...one, url: resolve(from, one.url) } : one);
  return { fetch: whole(fetch), push: whole(push) };
}
