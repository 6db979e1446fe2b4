// A Gitea as the forge port sees it: what the server is, who we are to it, repositories, public keys, secrets.
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { Forge, ForgeKind, ForgeRepository, ForgeUser, RepositoryName } from '../../ports/forge.ts';
import { createAsk } from './ask.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Limits } from './exchange.ts';
import { issuesOf } from './issues.ts';
import { hasKey, registerKey } from './keys.ts';
import { createPages } from './pages.ts';
import { rulesOf } from './rules.ts';
import { ignoredSchema, repositorySchema, userSchema } from './schemas.ts';
import { workOf } from './work.ts';

export type GiteaOptions = {
  readonly url: string;
  /** Undefined: only what anybody may see. */
  readonly token: string | undefined;
  readonly limits?: Limits;
  /** Asks again while the forge is away, what it certainly did not do. */
  readonly patience?: <T>(ask: () => Promise<T>) => Promise<T>;
};

/** The first Gitea with server-side called workflows, and with branch rules that let a job append to a ledger. */
const NEEDED = { major: 1, minor: 27 } as const;

const versionSchema = z.object({ version: z.string().min(1).max(100) });
const secretSchema = z.object({ name: z.string().max(255) });
const introspectionSchema = z.object({ user: userSchema, scopes: z.array(z.string().max(100)).max(100).optional() });

export function createGitea({ url, token, limits, patience }: GiteaOptions): Forge {
  const displayUrl = parseBaseUrl(url);
  const ask = createAsk(displayUrl, token, { limits, patience });
  const pages = createPages(ask);

  /** Since 1.27 a token can ask about itself, whatever its scopes. The token of a job cannot, but may ask who it is. */
  const aboutToken = async () => (token === undefined ? undefined : ask.maybe('GET /token', {}, introspectionSchema));
  const introspect = async (): Promise<ForgeUser | undefined> => (await aboutToken())?.user;

  return {
    displayUrl,
    probe: async () => {
      const { version } = await ask('GET /version', {}, versionSchema);
      const kind: ForgeKind = { software: version.includes('+gitea-') ? 'forgejo' : 'gitea', version };
      // By feature first: packagers and forks number as they like.
      if ((await introspect()) !== undefined || (kind.software === 'gitea' && isNewEnough(version))) return kind;
      throw new Failure('forge_too_old', { forge: displayUrl, ...kind });
    },
    whoami: async () => (await introspect()) ?? (await ask((rest) => rest.users.getAuthenticated, {}, userSchema)),
    scopes: async () => (await aboutToken())?.scopes,
    nowSeconds: async () => {
      const ms = Date.parse((await ask.date()) ?? '');
      if (Number.isNaN(ms)) throw new Failure('forge_answer_unexpected', { asked: 'GET /version', field: 'date' });
      return ms / 1000;
    },
    user: async (login) => ask.maybe((rest) => rest.users.getByUsername, { username: login }, userSchema),
    repository: (name) => repositoryOf(name),
    createRepository: async ({ owner, name }, { isPrivate }) => {
      const wanted = { name, private: isPrivate, auto_init: false, default_branch: 'main' };
      const me = await introspect();
      const isMine = me?.login.toLowerCase() === owner.toLowerCase();
      if (isMine) return ask((rest) => rest.repos.createForAuthenticatedUser, wanted, repositorySchema);
      return ask((rest) => rest.repos.createInOrg, { org: owner, ...wanted }, repositorySchema);
    },
    registerPublicKey: async (key) => registerKey(ask, pages, key),
    hasPublicKey: async (fingerprint) => hasKey(pages, fingerprint),
  };

  function repositoryOf({ owner, name }: RepositoryName): ForgeRepository {
    const at = { owner, repo: name };
    const place = { ask, pages, at };
    return {
      ...issuesOf(place),
      ...workOf(place),
      ...rulesOf(place),
      facts: async () => ask.maybe((rest) => rest.repos.get, at, repositorySchema),
      secretNames: async () =>
        (await pages('GET /repos/{owner}/{repo}/actions/secrets', at, secretSchema)).map((one) => one.name),
      // Of an organisation to its owners; what a user gives to all of their repositories has no route at all.
      ownersSecretNames: async () => {
        try {
          return (await pages('GET /orgs/{org}/actions/secrets', { org: owner }, secretSchema)).map((one) => one.name);
        } catch (error) {
          if (error instanceof Failure && UNTOLD.has(error.code)) return undefined;
          throw error;
        }
      },
      setSecret: async (secret, value) => {
        const route = 'PUT /repos/{owner}/{repo}/actions/secrets/{secret}';
        // Gitea wants it in clear, octokit's method sealed. A parameter called `data` is the whole body.
        await ask(route, { ...at, secret, data: { data: await value() } }, ignoredSchema);
      },
      removeSecret: async (secret) => {
        await ask('DELETE /repos/{owner}/{repo}/actions/secrets/{secret}', { ...at, secret }, ignoredSchema);
      },
    };
  }
}

const UNTOLD: ReadonlySet<string> = new Set(['forge_not_found', 'forge_refused', 'forge_scope_missing']);

function isNewEnough(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major === undefined) return false;
  return Number(major) > NEEDED.major || (Number(major) === NEEDED.major && Number(minor) >= NEEDED.minor);
}
