// Finds out what a remote's name or address means here, and whether git's own HTTP settings apply to it. Of a repository's
// configuration it takes the address of a remote and nothing else. No packet leaves the machine.
import { readFile } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { parseAddress, type Address } from './address.ts';
import { valuesOf, type Configuration, type Setting } from './configuration.ts';
import type { Environment } from './git-run.ts';
import type { NetworkGit } from './network-git.ts';

export type Where = { readonly url: string } | { readonly name: string };
export type Located = { readonly fetch: Address; readonly push: Address };

/** Throws `no_remote` for an unknown name, `remote_url_refused` and `remote_rewritten` for an address that must not be used. */
export function locate(configuration: Configuration, where: Where): Located {
  const all = [...configuration.person, ...configuration.repository];
  if ('url' in where) {
    // Before it is rewritten: this is where a leading dash and `ext::` end.
    parseAddress(where.url);
    const address = parseAddress(rewritten(configuration, where.url, ['insteadof']));
    return { fetch: address, push: address };
  }
  const [url] = valuesOf(all, `remote.${where.name}.url`);
  if (url === undefined) throw new Failure('no_remote', { name: where.name });
  const [pushUrl] = valuesOf(all, `remote.${where.name}.pushurl`);
  const push =
    pushUrl === undefined
      ? rewritten(configuration, url, ['pushinsteadof', 'insteadof'])
      : rewritten(configuration, pushUrl, ['insteadof']);
  return { fetch: parseAddress(rewritten(configuration, url, ['insteadof'])), push: parseAddress(push) };
}

type Rewriting = 'insteadof' | 'pushinsteadof';

/**
 * Once, as git does, and by the person's own rules. A rule of the repository would send what was typed, and the login kept
 * for it, to an address of its author: where one applies, nothing is done, because doing as if it were not there would
 * surprise the person who made it.
 */
function rewritten({ person, repository }: Configuration, url: string, kinds: readonly Rewriting[]): string {
  const apply = (settings: readonly Setting[]): string =>
    kinds.map((kind) => rewriteBy(settings, url, kind)).find((found) => found !== undefined) ?? url;
  const own = apply(person);
  if (apply([...person, ...repository]) !== own) throw new Failure('remote_rewritten');
  return own;
}

/** The longest beginning wins, of two as long the first. */
function rewriteBy(settings: readonly Setting[], url: string, kind: Rewriting): string | undefined {
  let best: { readonly base: string; readonly beginning: string } | undefined;
  for (const [key, beginning] of settings) {
    const base = /^url\.([^]*)\.([a-z]+)$/.exec(key);
    if (base?.[2] !== kind || !url.startsWith(beginning)) continue;
    if (best === undefined || beginning.length > best.beginning.length) best = { base: base[1]!, beginning };
  }
  return best === undefined ? undefined : best.base + url.slice(best.beginning.length);
}

/** How a push goes out over HTTP: as our own POST, trusting these certificates, or through git. */
export type HttpWay = { readonly is: 'post'; readonly ca: string | undefined } | { readonly is: 'git' };

/** Settings that change how, or through whom, HTTP goes out. Our own POST knows none of them, so git has to push. */
const ONLY_GIT_KNOWS =
  /^http\.(proxy|ssl(?!cainfo|try)|cookie|extraheader|pinned|schannel|delegation|emptyauth|curlopt)/im;
export const ONLY_GIT_KNOWS_VARIABLE = /^(https?_proxy|all_proxy|GIT_SSL_(?!CAINFO).*|GIT_PROXY_.*)$/i;

export async function httpWay(
  git: NetworkGit,
  { env, person }: { readonly env: Environment; readonly person: readonly Setting[] },
  url: string,
): Promise<HttpWay> {
  if (Object.entries(env).some(([name, value]) => Boolean(value) && ONLY_GIT_KNOWS_VARIABLE.test(name)))
    return { is: 'git' };
  // Which of them hold for this address only git can say.
  const settings = person.some(([key]) => key.startsWith('http.'))
    ? (await git.run(['config', '--get-urlmatch', 'http', url], { kind: 'local' })).stdout
    : '';
  if (ONLY_GIT_KNOWS.test(settings)) return { is: 'git' };
  // A team's own forge often has a certificate of the team's own making.
  const fromConfig = (): Promise<string | undefined> =>
    firstLine(git, ['config', '--type=path', '--get-urlmatch', 'http.sslCAInfo', url]);
  const path = env['GIT_SSL_CAINFO'] || (/^http\.sslcainfo/im.test(settings) ? await fromConfig() : undefined);
  if (path === undefined) return { is: 'post', ca: undefined };
  try {
    return { is: 'post', ca: await readFile(path, 'utf8') };
  } catch {
    // git says what is wrong with the file better than we could.
    return { is: 'git' };
  }
}

async function firstLine(git: NetworkGit, args: readonly string[]): Promise<string | undefined> {
  const { status, stdout } = await git.run(args, { kind: 'local' });
  const line = stdout.split('\n')[0];
  return status === 0 && line !== undefined && line !== '' ? line : undefined;
}
