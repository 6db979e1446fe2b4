// The forges that remotes of this repository lead to, asked only with a token that is meant for them: there, new enough, and
// what the token may do. Nothing is written, and no token goes where its owner did not send it.
import { Failure } from '../../failure.ts';
import { missing, missingFor, ok, warn, type Finding } from './finding.ts';
import type { Here, Remote } from './here.ts';

export async function lookAtForges(here: Here): Promise<readonly Finding[]> {
  if ((await here.opened()) === undefined) return [];
  const remotes = await here.remotes();
  return (await Promise.all(remotes.filter(({ is }) => is === 'http').map((one) => lookAtForge(here, one)))).flat();
}

async function lookAtForge({ told, forge }: Here, { name, url }: Remote): Promise<readonly Finding[]> {
  const about = { item: 'forge', title: `forge of ${name}` };
  const [, base, owner, repository] = /^(https?:\/\/.+)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(url) ?? [];
  if (base === undefined || !told.variables.has('LAZARUS_TOKEN')) return [];
  const { origin } = new URL(base);
  if (told.tokenOrigin === undefined)
    return [warn(about, `LAZARUS_TOKEN says of no server that it is for it`, `export LAZARUS_TOKEN_ORIGIN=${origin}`)];
  if (told.tokenOrigin !== origin) return [ok(about, `${base}: not asked, the token is for ${told.tokenOrigin}`)];
  try {
    const asked = forge(base);
    const { software, version } = await asked.probe();
    const me = await asked.whoami();
    const there = asked.repository({ owner: owner!, name: repository! });
    if ((await there.facts()) === undefined)
      return [missing(about, `${me.login} sees no ${owner}/${repository} at ${base}`, tokens(base))];
    await there.newestIssues(1);
    return [ok(about, `${software} ${version} at ${base}, as ${me.login}: the token reads repository and issues`)];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [missingFor(about, error, NEW_TOKEN.has(error.code) ? tokens(base) : undefined)];
  }
}

const NEW_TOKEN: ReadonlySet<string> = new Set(['authentication_needed', 'forge_scope_missing']);

function tokens(base: string): string {
  return `make a token with write:repository, write:issue and write:user at ${base}/user/settings/applications, then: read -rs LAZARUS_TOKEN; export LAZARUS_TOKEN`;
}
