// Builds a forge from its address. The token of the environment goes to the one server that was named, and where the
// environment names another one it goes nowhere.
import { join } from 'node:path';
import { createGitea } from '../adapters/gitea/server.ts';
import type { ForgeWorld } from '../app/init/forge/world.ts';
import type { App } from './app.ts';
import { Failure } from '../failure.ts';
import type { Forge } from '../ports/forge.ts';

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

/** A forge's repository and the clone around the program, for as long as somebody works with both. */
export async function inForgeWorld<T>(
  app: App,
  at: Pick<ForgeWorld, 'forge' | 'name' | 'repository' | 'facts'>,
  use: (world: ForgeWorld) => Promise<T>,
): Promise<T> {
  const near = await app.workbench();
  const far = await app.workbench({ url: at.facts.cloneUrl });
  try {
    return await use({
      ...at,
      near,
      far,
      workTree: await app.workTree(),
      remoteAt: (address) => app.remote(near.parts.repository, address),
      onTheirWay: await app.keysIn(join(near.parts.repository.stateDir, 'forge-keys')),
    });
  } finally {
    await far.close();
    await near.close();
  }
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
