// Finds out from git what a remote's name or address means here, and whether git's own HTTP settings apply to it.
// Asks the local configuration only; no packet leaves the machine.
import { readFile } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { parseAddress, type Address } from './address.ts';
import type { Environment, NetworkGit } from './network-git.ts';

export type Where = { readonly url: string } | { readonly name: string };
export type Located = { readonly fetch: Address; readonly push: Address };

/** Throws `no_remote` for an unknown name and `remote_url_refused` for an address that must not be used. */
export async function locate(git: NetworkGit, where: Where): Promise<Located> {
  if ('url' in where) {
    // Before git sees it: this is where a leading dash and `ext::` end.
    parseAddress(where.url);
    const url = await firstLine(git, ['ls-remote', '--get-url', '--end-of-options', where.url]);
    const address = parseAddress(url ?? where.url);
    return { fetch: address, push: address };
  }
  const fetch = await firstLine(git, ['remote', 'get-url', '--', where.name]);
  if (fetch === undefined) throw new Failure('no_remote', { name: where.name });
  const push = await firstLine(git, ['remote', 'get-url', '--push', '--', where.name]);
  return { fetch: parseAddress(fetch), push: parseAddress(push ?? fetch) };
}

/** How a push goes out over HTTP: as our own POST, trusting these certificates, or through git. */
export type HttpWay = { readonly is: 'post'; readonly ca: string | undefined } | { readonly is: 'git' };

/** Settings that change how, or through whom, HTTP goes out. Our own POST knows none of them, so git has to push. */
const ONLY_GIT_KNOWS =
  /^http\.(proxy|ssl(?!cainfo|try)|cookie|extraheader|pinned|schannel|delegation|emptyauth|curlopt)/im;
export const ONLY_GIT_KNOWS_VARIABLE = /^(https?_proxy|all_proxy|GIT_SSL_(?!CAINFO).*|GIT_PROXY_.*)$/i;

export async function httpWay(git: NetworkGit, env: Environment, url: string): Promise<HttpWay> {
  if (Object.entries(env).some(([name, value]) => Boolean(value) && ONLY_GIT_KNOWS_VARIABLE.test(name)))
    return { is: 'git' };
  const { stdout } = await git.run(['config', '--get-urlmatch', 'http', url], { kind: 'local' });
  if (ONLY_GIT_KNOWS.test(stdout)) return { is: 'git' };
  // A team's own forge often has a certificate of the team's own making.
  const fromConfig = (): Promise<string | undefined> =>
    firstLine(git, ['config', '--type=path', '--get-urlmatch', 'http.sslCAInfo', url]);
  const path = env['GIT_SSL_CAINFO'] || (/^http\.sslcainfo/im.test(stdout) ? await fromConfig() : undefined);
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
