// The forges that remotes of this repository lead to, asked only with a token that is meant for them: there, new enough, and
// what the token may do as its maker said. Nothing is written, and no token goes where its owner did not send it.
import { Failure } from '../../failure.ts';
import type { Forge, RepositoryName } from '../../ports/forge.ts';
import { missing, missingFor, ok, warn, type Finding } from './finding.ts';
import type { Here, Remote, Told } from './here.ts';
import { word } from './typed.ts';

export async function lookAtForges(here: Here): Promise<readonly Finding[]> {
  if ((await here.opened()) === undefined) return [];
  const remotes = await here.remotes();
  return (await Promise.all(remotes.filter(({ is }) => is === 'http').map((one) => lookAtForge(here, one)))).flat();
}

/** Where a remote leads, if it is asked: a token that is meant for it is there. */
function forgeOf(
  { told }: Pick<Here, 'told'>,
  { url }: Remote,
): { readonly base: string; readonly repository: RepositoryName } | undefined {
  const [, base, owner, name] = /^(https?:\/\/.+)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(url) ?? [];
  if (base === undefined || !told.variables.has('LAZARUS_TOKEN') || told.tokenOrigin !== new URL(base).origin)
    return undefined;
  return { base, repository: { owner: owner!, name: name! } };
}

export type Asked = { readonly base: string; readonly forge: Forge; readonly name: RepositoryName };

/** Of every forge that is asked, what it has; that it cannot be asked, or not with this token, is no lack of its own. */
export async function ofForges(
  here: Here,
  { item, title }: Pick<Finding, 'item' | 'title'>,
  look: (asked: Asked, about: Pick<Finding, 'item' | 'title'>) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  if ((await here.opened()) === undefined) return [];
  const found = (await here.remotes()).map(async (remote): Promise<readonly Finding[]> => {
    const about = { item, title: `${title} of ${remote.name}` };
    const at = forgeOf(here, remote);
    if (at === undefined) return [];
    try {
      return await look({ base: at.base, forge: here.forge(at.base), name: at.repository }, about);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { says, next } = missingFor(about, error);
      return [warn(about, says, next)];
    }
  });
  return (await Promise.all(found)).flat();
}

async function lookAtForge({ told, forge }: Here, { name, url }: Remote): Promise<readonly Finding[]> {
  const about = { item: 'forge', title: `forge of ${name}` };
  const [, base, owner, repository] = /^(https?:\/\/.+)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(url) ?? [];
  if (base === undefined || !told.variables.has('LAZARUS_TOKEN')) return [];
  const { origin } = new URL(base);
  if (told.tokenOrigin === undefined)
    return [
      warn(about, `LAZARUS_TOKEN says of no server that it is for it`, `export LAZARUS_TOKEN_ORIGIN=${word(origin)}`),
    ];
  if (told.tokenOrigin !== origin) return [ok(about, `${base}: not asked, the token is for ${told.tokenOrigin}`)];
  try {
    const asked = forge(base);
    const { software, version } = await asked.probe();
    const me = await asked.whoami();
    const there = asked.repository({ owner: owner!, name: repository! });
    if ((await there.facts()) === undefined)
      return [notThere(told, about, `${me.login} sees no ${owner}/${repository} at ${base}`, tokens(base))];
    const says = `${software} ${version} at ${base}, as ${me.login}`;
    const lacking = lackingOf(await asked.scopes());
    return lacking.length === 0
      ? [ok(about, says)]
      : [warn(about, `${says}: the token lacks ${lacking.join(', ')}, which setting up a forge takes`, tokens(base))];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { says, next } = missingFor(about, error, NEW_TOKEN.has(error.code) ? tokens(base) : undefined);
    return [notThere(told, about, says, next)];
  }
}

/** What runs on a person's computer needs no forge; a job does nothing without one. */
function notThere({ isJob }: Told, about: Pick<Finding, 'item' | 'title'>, says: string, next: string): Finding {
  return isJob ? missing(about, says, next) : warn(about, says, next);
}

/** For what `lazarus init --forge` does there. What the token of a job may do stands in its workflow. */
const NEEDED = ['write:repository', 'write:issue', 'write:user'];

function lackingOf(scopes: readonly string[] | undefined): readonly string[] {
  if (scopes === undefined || scopes.includes('all')) return [];
  return NEEDED.filter((scope) => !scopes.includes(scope));
}

const NEW_TOKEN: ReadonlySet<string> = new Set(['authentication_needed', 'forge_scope_missing']);

function tokens(base: string): string {
  return `make a token with ${NEEDED.join(', ')} at ${base}/user/settings/applications, then: read -rs LAZARUS_TOKEN; export LAZARUS_TOKEN`;
}
