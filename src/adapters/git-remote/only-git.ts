// Where HTTP of our own ends and git alone knows the way: settings that we do not understand, and failures that git may not
// have. The one place that decides it, for pushes and reads of a clone, for appending without one and for a forge's jobs.
import { readFile } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Setting } from './configuration.ts';
import type { Environment } from './git-run.ts';
import type { NetworkGit } from './network-git.ts';

/** Settings that change how, or through whom, HTTP goes out. */
const SETTINGS = /^http\.(proxy|ssl(?!cainfo|try)|cookie|extraheader|pinned|schannel|delegation|emptyauth|curlopt)/im;
const VARIABLES = /^(https?_proxy|all_proxy|GIT_SSL_(?!CAINFO).*|GIT_PROXY_.*)$/i;

export function isForGitAlone(env: Environment): boolean {
  return Object.entries(env).some(([name, value]) => Boolean(value) && VARIABLES.test(name));
}

/** Too much for memory, or reached by means that git has: other certificates, older protocols, other names of hosts. */
const FAILURES: ReadonlySet<ReasonCode> = new Set([
  'object_too_large',
  'remote_protocol',
  'remote_unreachable',
  'certificate_refused',
]);

/** Of a failure over HTTP. Whoever then tries git gets git's word for it, where git fails as well. */
export function mayGitManage(error: unknown): boolean {
  return error instanceof Failure && FAILURES.has(error.code);
}

/** The same where nobody but the environment was asked for a login: git has helpers, and one may know it. */
export function mayGitOrItsHelpersManage(error: unknown): boolean {
  return mayGitManage(error) || (error instanceof Failure && error.code === 'authentication_needed');
}

/** How HTTP goes out: as requests of our own, trusting these certificates, or through git. */
export type HttpWay = { readonly is: 'own'; readonly ca: string | undefined } | { readonly is: 'git' };

/** Of an address under a person's configuration. */
export async function httpWay(
  git: NetworkGit,
  { env, person }: { readonly env: Environment; readonly person: readonly Setting[] },
  url: string,
): Promise<HttpWay> {
  if (isForGitAlone(env)) return { is: 'git' };
  // Which of them hold for this address only git can say.
  const settings = person.some(([key]) => key.startsWith('http.'))
    ? (await git.run(['config', '--get-urlmatch', 'http', url], { kind: 'local' })).stdout
    : '';
  if (SETTINGS.test(settings)) return { is: 'git' };
  // A team's own forge often has a certificate of the team's own making.
  const fromConfig = (): Promise<string | undefined> =>
    firstLine(git, ['config', '--type=path', '--get-urlmatch', 'http.sslCAInfo', url]);
  const path = env['GIT_SSL_CAINFO'] || (/^http\.sslcainfo/im.test(settings) ? await fromConfig() : undefined);
  if (path === undefined) return { is: 'own', ca: undefined };
  try {
    return { is: 'own', ca: await readFile(path, 'utf8') };
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
