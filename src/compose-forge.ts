// Builds a forge from its address. The token of the environment goes to the one server that was named, and where the
// environment names another one it goes nowhere.
import { createGitea } from './adapters/gitea/server.ts';
import { Failure } from './failure.ts';
import type { Forge } from './ports/forge.ts';

type Env = Readonly<Record<string, string | undefined>>;

export function openForge(env: Env, url: string): { readonly forge: Forge; readonly env: Env } {
  const token = env['LAZARUS_TOKEN'] || undefined;
  const forge = createGitea({ url, token });
  const { origin } = new URL(forge.displayUrl);
  const meant = env['LAZARUS_TOKEN_ORIGIN'];
  if (token !== undefined && meant !== undefined && meant !== '' && originOf(meant) !== origin)
    throw new Failure('token_origin_needed', { forge: origin });
  return { forge, env: { ...env, LAZARUS_TOKEN_ORIGIN: origin } };
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
